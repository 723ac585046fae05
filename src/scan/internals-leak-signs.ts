/** What stack traces look like, runtime by runtime. Data for internals-leak.ts; the tables of smaller runtimes are in
 *  internals-leak-more.ts. Quantifiers are bounded and neighbours share no character, so no pattern backtracks far. */

export interface Sign {
  readonly runtime: string;
  /** `whole`: a crash by itself. `header`: opens or closes a trace. `frame`: one line of it. `weak`: a line that only
   *  counts beside others. `line`: worth a warning and never more. */
  readonly role: "whole" | "header" | "frame" | "weak" | "line";
  readonly pattern: RegExp;
  /** The pattern begins in the middle of a path: the sighting reaches back to where that word starts. */
  readonly reachesBack?: true;
  /** What the same line must hold before the sighting; without it the role is `weak`. */
  readonly after?: RegExp;
  /** Only where nothing but indentation, a quote mark or a log prefix stands before it on its line. */
  readonly opensLine?: true;
  /** A header that is worth a warning where no frame follows. */
  readonly warns?: true;
}

const LOCATION = ":\\d{1,7}[:)]";
const CODE_FILE = "\\.(?:[cm]?[jt]sx?|vue|svelte|astro|wasm|jsbundle|bundle|html?)(?:\\?[^\\s():]{0,80})?";
/** Where V8 says a frame is: a scheme, an absolute path (which may hold spaces), or a relative one with a known ending. */
const V8_PLACE = [
  "(?:file|https?|webpack(?:-internal)?|webpack-\\w{1,20}|app|blob|ext|deno|bun|node|wasm|chrome-extension|vm|turbopack):[^\\s()\"']{1,300}?",
  "(?:/|[A-Za-z]:[\\\\/]|\\\\\\\\)[^()\\n:\"]{1,300}",
  `[^\\s()":]{1,300}${CODE_FILE}`,
  "(?:evalmachine\\.)?<(?:anonymous|eval)>|\\[(?:eval|stdin|worker eval|native code)\\d?\\]|REPL\\d{0,3}|internal/[\\w/]{1,100}|native",
].join("|");
const V8_NAME =
  "(?:(?:async|new|get|set|static) ){0,2}[^\\s()]{1,150}(?: \\[as [^\\]\\n]{1,80}\\])?(?: <anonymous>)?";

const node: readonly Sign[] = [
  {
    runtime: "Node",
    role: "frame",
    needle: LOCATION,
    pattern: new RegExp(`\\bat ${V8_NAME} \\((?:${V8_PLACE}):\\d{1,7}:\\d{1,7}\\)`, "g"),
  },
  {
    runtime: "Node",
    role: "frame",
    opensLine: true,
    pattern: new RegExp(`\\bat (?:async )?(?:${V8_PLACE}):\\d{1,7}:\\d{1,7}(?![\\w)])`, "g"),
  },
  {
    runtime: "Node",
    role: "weak",
    opensLine: true,
    pattern: new RegExp(`\\bat ${V8_NAME} \\((?:<anonymous>|native|index \\d{1,5})\\)`, "g"),
  },
  {
    runtime: "Node",
    role: "weak",
    opensLine: true,
    pattern: /\bat (?:async |new )?(?:[A-Za-z_$][\w$]{0,60}\.){0,5}(?:[A-Za-z_$][\w$]{0,60}|<anonymous>)[ \t]{0,4}(?=[\n\r"]|$)/g,
  },
  {
    runtime: "Node",
    role: "frame",
    reachesBack: true,
    pattern: /@(?:https?|file|resource|webpack|app|capacitor):\/\/[^\s"]{1,300}?:\d{1,7}:\d{1,7}(?!\w)/g,
  },
  {
    // The place, the line of source and the carets that an uncaught exception prints first.
    runtime: "Node",
    role: "frame",
    opensLine: true,
    reachesBack: true,
    pattern: /:\d{1,7}\r?\n[^\n]{0,300}\n[ \t]{0,200}\^{1,200}[ \t]{0,4}\r?\n/g,
  },
  {
    runtime: "Node",
    role: "header",
    warns: true,
    pattern: /\[?UnhandledPromiseRejection(?:Warning)?\b[: ]|Unhandled [pP]romise [rR]ejection\b.{0,20}[:(]|triggerUncaughtException\(/g,
  },
  {
    runtime: "Node",
    role: "header",
    opensLine: true,
    pattern: /(?:Node\.js v\d{1,3}\.\d{1,3}\.\d{1,3}|Bun v\d\.\d{1,3}\.\d{1,3})\b|node:internal\/[\w/]{1,80}:\d{1,6}/g,
  },
  {
    runtime: "Node",
    role: "whole",
    pattern: /-----? Native stack trace -----?|FATAL ERROR: [^\n]{1,120}JavaScript heap out of memory/g,
  },
];

const python: readonly Sign[] = [
  {
    runtime: "Python",
    role: "header",
    opensLine: true,
    warns: true,
    pattern: /(?:Exception Group )?Traceback \(most recent call (?:last|first)\):?[ \t]{0,80}(?:[─│╮-]{1,80})?(?=[\n\r"]|$)/g,
  },
  {
    runtime: "Python",
    role: "header",
    pattern: /During handling of the above exception, another exception occurred:|The above exception was the direct cause of the following exception:|[tT]hread 0x[0-9a-f]{6,16}[^\n]{0,40}\(most recent call first\):/g,
  },
  {
    runtime: "Python",
    role: "frame",
    pattern: /\bFile "[^"\n]{1,400}", line \d{1,7}(?:,? in [^\n"]{1,200})?/g,
  },
  {
    runtime: "Python",
    role: "frame",
    reachesBack: true,
    pattern: /\.pyx?:\d{1,7}[:,]? in [\w<>.]{1,100}|Cell In ?\[\d{1,5}\], line \d{1,6}/g,
  },
  {
    runtime: "Python",
    role: "whole",
    opensLine: true,
    pattern: /Fatal Python error: [^\n]{1,200}/g,
  },
];

const java: readonly Sign[] = [
  {
    runtime: "Java",
    role: "frame",
    pattern: new RegExp(
      `\\bat [^\\s()]{3,300}\\((?:[^\\s():]{1,100}\\.(?:java|kts?|scala|groovy|cljc?)(?::\\d{1,6})?|Native Method|Unknown Source(?::\\d{1,6})?|SourceFile(?::\\d{1,6})?|<generated>)\\)`,
      "g",
    ),
  },
  {
    runtime: "Java",
    role: "frame",
    needle: LOCATION,
    opensLine: true,
    pattern: /\bat (?:[\w$<>]{1,100}\.){2,12}[\w$<>]{1,100}\([\w$-]{0,60}:\d{1,6}\)/g,
  },
  {
    runtime: "Java",
    role: "header",
    pattern: /Exception in thread "[^"\n]{1,120}" [\w.$]{1,150}|(?:Caused by|Suppressed|Wrapped by): (?:[\w$]{1,80}\.){1,10}[\w$]{1,100}|\[CIRCULAR REFERENCE/g,
    warns: true,
  },
  {
    runtime: "Java",
    role: "weak",
    opensLine: true,
    pattern: /\.\.\. \d{1,4} (?:more|common frames omitted)\b/g,
  },
  {
    runtime: "Java",
    role: "whole",
    pattern: /# A fatal error has been detected by the Java Runtime Environment|\bhs_err_pid\d{1,9}\.log/g,
  },
];

const go: readonly Sign[] = [
  {
    runtime: "Go",
    role: "header",
    opensLine: true,
    pattern: /(?:panic: |http: panic serving )[^\n]{1,300}/g,
  },
  {
    runtime: "Go",
    role: "whole",
    opensLine: true,
    pattern: /panic: runtime error: [^\n]{1,300}|fatal error: (?:all goroutines are asleep|concurrent map |stack overflow|unexpected signal|runtime: |out of memory)[^\n]{0,200}|runtime error: invalid memory address or nil pointer dereference/g,
  },
  {
    runtime: "Go",
    role: "frame",
    pattern: /\bgoroutine \d{1,9}(?: gp=0x[^\[\n]{1,60})? \[[a-zA-Z][^\]\n]{0,80}\]:?/g,
  },
  {
    runtime: "Go",
    role: "header",
    pattern: /\[signal (?:SIG[A-Z]{2,6}|0x)[^\]\n]{0,160}\]|\bcreated by [\w./()*-]{1,200}(?: in goroutine \d{1,9})?(?=[\r\n])|\[recovered\]/g,
  },
  {
    runtime: "Go",
    role: "frame",
    opensLine: true,
    reachesBack: true,
    pattern: /\.(?:go|s):\d{1,6}(?: \+0x[0-9a-f]{1,16}| \(0x[0-9a-f]{1,16}\)|(?=[ \t]{0,4}(?:[\r\n"]|$)))/g,
  },
];

const ruby: readonly Sign[] = [
  {
    runtime: "Ruby",
    role: "whole",
    reachesBack: true,
    pattern: /:\d{1,6}:in [`'"][^'"\n]{1,150}['"]: [^\n(]{1,300}(?:\([^\n(]{0,100}){0,4}\([\w:]{1,100}\)/g,
  },
  {
    runtime: "Ruby",
    role: "frame",
    reachesBack: true,
    pattern: /:\d{1,6}:in (?:[`'"][^'"\n]{1,150}['"]|[\w.#<>:?!]{1,100}(?=[\s"]|$))/g,
  },
  {
    runtime: "Ruby",
    role: "frame",
    opensLine: true,
    pattern: /\bfrom [^\s:"']{1,300}\.(?:rb|ru|rake|gemspec):\d{1,6}(?=[\s:"]|$)/g,
  },
  {
    runtime: "Ruby",
    role: "header",
    pattern: /Extracted source \(around line #?\d{1,6}\)|Application Trace \| Framework Trace/g,
  },
  {
    runtime: "Ruby",
    role: "weak",
    opensLine: true,
    reachesBack: true,
    pattern: /\.(?:rb|erb|haml|slim|rake):\d{1,6}(?=[ \t]{0,4}(?:[\r\n":]|$))/g,
  },
];

const rust: readonly Sign[] = [
  {
    runtime: "Rust",
    role: "whole",
    pattern: /\bthread '[^'\n]{1,100}'(?: \(\d{1,12}\))? has overflowed its stack|\bpanicked at (?:'[^\n]{0,400}', )?[^\s"'`:]{1,300}\.rs:\d{1,6}:\d{1,6}/g,
  },
  {
    runtime: "Rust",
    role: "header",
    pattern: /\bthread '[^'\n]{1,100}'(?: \(\d{1,12}\))? panicked at|\brun with `RUST_BACKTRACE=|\b[sS]tack backtrace:|━ ?BACKTRACE ?━|thread panicked while processing panic/g,
    warns: true,
  },
  {
    runtime: "Rust",
    role: "frame",
    opensLine: true,
    pattern: /\bat [^\s"():]{0,2}:?[^\s"():]{1,300}\.rs:\d{1,6}(?::\d{1,6})?(?!\w)/g,
  },
  {
    runtime: "Rust",
    role: "weak",
    opensLine: true,
    pattern: /\d{1,4}:[ \t]{1,8}(?:0x[0-9a-f]{6,16} - )?[<&\w][^\s"]{0,200}::[^\n"]{1,200}/g,
  },
  {
    runtime: "Rust",
    role: "weak",
    opensLine: true,
    pattern: /\d{1,4}:[ \t]{1,8}(?:0x[0-9a-f]{6,16} - )?(?:rust_begin_unwind|_start|main|__libc_start\w{0,20}|clone3?|start_thread)(?=\s|$)/g,
  },
];

const dotnet: readonly Sign[] = [
  {
    runtime: ".NET",
    role: "frame",
    pattern: /(?:\b(?:at|bei|en|in|em)|\u00e0|\u5728|\u5834\u6240) [^\n()]{1,300}\([^()\n]{0,400}\) (?:in|dans|en|em|\u4f4d\u7f6e|\u5834\u6240) [^\n"]{1,300}?:(?:line|Zeile|ligne|l\u00ednea|riga|linha|\u884c\u53f7|\u884c) ?\d{1,6}/g,
  },
  {
    runtime: ".NET",
    role: "frame",
    opensLine: true,
    pattern: /(?:\b(?:at|bei)|\u00e0) (?:[^\s().]{0,120}\.){2,12}[^\s().]{1,120}\([^()\n"]{0,300}\)(?=[ \t]{0,4}(?:[\r\n"]|$|in |at ))/g,
  },
  {
    runtime: ".NET",
    role: "weak",
    opensLine: true,
    pattern: /(?:\b(?:at|bei)|\u00e0) (?:[^\s().]{1,120}\.)?[^\s().]{1,120}\([^()\n"]{0,300}\)(?=[ \t]{0,4}(?:[\r\n"]|$))/g,
  },
  {
    runtime: ".NET",
    role: "header",
    pattern: /--- End of (?:inner exception )?stack trace(?: from previous location[^\n]{0,60})? ---|Unhandled [eE]xception[.:] [A-Z][\w.+`]{1,150}|-{3}> (?:\([^)\n]{1,60}\) )?(?:[A-Z]\w{0,60}\.){1,10}\w{1,100}|Unbehandelte Ausnahme: |Process terminated\. /g,
  },
];

const php: readonly Sign[] = [
  {
    runtime: "PHP",
    role: "whole",
    after:
      /\b(?:Fatal error|Parse error|Recoverable fatal error|Compile error|Core error|Warning|Notice|Deprecated|Strict Standards): /,
    pattern:
      / in [^\s"]{1,300}\.(?:php\d?|phtml|inc|phar)(?:\/[^\s"]{1,200})?(?:\(\d{1,6}\) : [\w' ()-]{1,60})?(?: on line |:)\d{1,6}/g,
  },
  {
    runtime: "PHP",
    role: "header",
    pattern: /\bUncaught (?:exception ')?[\w\\]{1,120}|\[?[sS]tack ?trace\]?:(?=[ \t]{0,4}[\r\n])|\bCall Stack:|\bthrown in [^\n]{1,300} on line \d{1,6}/g,
  },
  {
    runtime: "PHP",
    role: "frame",
    pattern: /#\d{1,4}[ \t]{1,4}(?:[^\s"()#][^\n"()]{0,300}\.(?:php\d?|phtml|inc|phar)[^\n"():]{0,60}(?:\(\d{1,6}\)(?: : [\w' ()-]{1,60})?:|:\d{1,6})|\[internal function\]:|\{main\})/g,
  },
  {
    runtime: "PHP",
    role: "frame",
    reachesBack: true,
    after: /->|::|\{main\}|\bat $|#\d|\(\) $|\d\. /,
    pattern: /\.php:\d{1,6}(?!\w)/g,
  },
  {
    runtime: "PHP",
    role: "header",
    warns: true,
    pattern: /\b[iI]n [\w./\\-]{1,200}\.php line \d{1,6}:?/g,
  },
];

export const signs: readonly Sign[] = [...node, ...python, ...java, ...go, ...ruby, ...rust, ...dotnet, ...php];
