/** Traces of Node, Python, the JVM, Go, Ruby, Rust, .NET and PHP. Data for internals-leak.ts. */
import { frame, header, type Runtime, weak, whole } from "./sign.ts";

const opensLine = true;
const reachesBack = true;
const warns = true;

const CODE_FILE = "\\.(?:[cm]?[jt]sx?|vue|svelte|astro|wasm|jsbundle|bundle|html?)(?:\\?[^\\s():]{0,80})?";
/** Where V8 says a frame is: a scheme, an absolute path (which may hold spaces), or a relative one with a known ending. */
const V8_PLACE = [
  "(?:file|https?|webpack(?:-\\w{1,20})?|app|blob|ext|deno|bun|node|wasm|chrome-extension|vm|turbopack):[^\\s()\"']{1,300}?",
  '(?:/|[A-Za-z]:[\\\\/]|\\\\\\\\)[^()\\n:"]{1,300}(?<!\\.(?:rs|dart|swift))',
  `[^\\s()":]{1,300}${CODE_FILE}`,
  "(?:evalmachine\\.)?<(?:anonymous|eval)>|\\[(?:eval|stdin|worker eval|native code)\\d?\\](?:-wrapper)?|REPL\\d{0,3}|internal/[\\w/]{1,100}|native",
].join("|");
const V8_NAME =
  "(?:(?:async|new|get|set|static) ){0,2}[^\\s()]{1,150}(?: \\[as [^\\]\\n]{1,80}\\])?(?: <anonymous>)?";

const node: Runtime = {
  name: "Node",
  gate: /:\d{1,7}:\d|nhandled ?[pP]romise|Native stack trace|JavaScript heap|(?:\n|\\n|")[ \t]{0,12}at /,
  signs: [
    frame(new RegExp(`\\bat ${V8_NAME} \\((?:${V8_PLACE}):\\d{1,7}:\\d{1,7}\\)`, "g")),
    frame(new RegExp(`\\bat (?:async )?(?:${V8_PLACE}):\\d{1,7}:\\d{1,7}(?![\\w)])`, "g"), { opensLine }),
    // Code made by code: the place lies behind the one that made it.
    frame(/\bat [^\s()]{1,150} \(eval at [^\n]{1,300}:\d{1,7}:\d{1,7}\)/g),
    weak(new RegExp(`\\bat ${V8_NAME} \\((?:<anonymous>|native|index \\d{1,5})\\)`, "g"), { opensLine }),
    weak(
      /\bat (?:async |new )?(?:[A-Za-z_$][\w$]{0,60}\.){0,5}(?:[A-Za-z_$][\w$]{0,60}|<anonymous>)[ \t]{0,4}(?=[\n\r"]|$)/g,
      { opensLine },
    ),
    // Browsers other than Chrome.
    frame(/@(?:https?|file|resource|webpack|app|capacitor):\/\/[^\s"]{1,300}?:\d{1,7}:\d{1,7}(?!\w)/g, {
      reachesBack,
    }),
    // The place, the line of source and the carets that an uncaught exception prints first.
    frame(/:\d{1,7}\r?\n[^\n]{0,300}\n[ \t]{0,200}\^{1,200}[ \t]{0,4}\r?\n/g, { opensLine, reachesBack }),
    header(
      /\[?UnhandledPromiseRejection(?:Warning)?\b[: ]|Unhandled [pP]romise [rR]ejection\b.{0,20}[:(]|triggerUncaughtException\(/g,
      { warns },
    ),
    header(
      /(?:Node\.js v\d{1,3}\.\d{1,3}\.\d{1,3}|Bun v\d\.\d{1,3}\.\d{1,3})\b|node:internal\/[\w/]{1,80}:\d{1,6}/g,
      { opensLine },
    ),
    whole(/-----? Native stack trace -----?|FATAL ERROR: [^\n]{1,120}JavaScript heap out of memory/g),
  ],
};

const python: Runtime = {
  name: "Python",
  gate: /raceback \(most|line \d|\.pyx?:\d|Fatal Python/,
  signs: [
    header(
      /(?:Exception Group )?Traceback \(most recent call (?:last|first)\):?[ \t]{0,80}(?:[─│╮-]{1,80})?(?=[\n\r"]|$)/g,
      { opensLine, warns },
    ),
    header(
      /During handling of the above exception, another exception occurred:|The above exception was the direct cause of the following exception:|[tT]hread 0x[0-9a-f]{6,16}[^\n]{0,40}\(most recent call first\):/g,
    ),
    frame(/\bFile "[^"\n]{1,400}", line \d{1,7}(?:,? in [^\n"]{1,200})?/g),
    frame(
      /\.pyx?:\d{1,7}[:,]? in [\w<>.]{1,100}|Cell In ?\[\d{1,5}\], line \d{1,6}|<ipython-input-\d{1,5}-\w{1,20}> in |\.py in \w{1,80}\([^\n]{0,120}\)(?=[\r\n])/g,
      { reachesBack },
    ),
    whole(/Fatal Python error: [^\n]{1,200}/g, { opensLine }),
  ],
};

const java: Runtime = {
  name: "Java",
  gate: /\.(?:java|kts?|scala|groovy|cljc?)[:)]|:\d{1,6}\)|Native Method|Unknown Source|Exception in thread|Caused by: |hs_err_pid|Java Runtime/,
  signs: [
    frame(
      /\bat [^\s()]{3,300}\((?:[^\s():]{1,100}\.(?:java|kts?|scala|groovy|cljc?)(?::\d{1,6})?|Native Method|Unknown Source(?::\d{1,6})?|SourceFile(?::\d{1,6})?|<generated>)\)/g,
    ),
    frame(/\bat (?:[\w$<>]{1,100}\.){2,12}[\w$<>]{1,100}\([\w$-]{0,60}:\d{1,6}\)/g, { opensLine }),
    // Without the word "at": servlet pages, Clojure.
    frame(/\.[\w$<>*!?-]{1,100} ?\([\w$-]{1,100}\.(?:java|kts?|scala|groovy|cljc?):\d{1,6}\)/g, {
      reachesBack,
    }),
    header(
      /Exception in thread "[^"\n]{1,120}" [\w.$]{1,150}|(?:Caused by|Suppressed|Wrapped by): (?:[\w$]{1,80}\.){1,10}[\w$]{1,100}|\[CIRCULAR REFERENCE/g,
      { warns },
    ),
    weak(/\.\.\. \d{1,4} (?:more|common frames omitted)\b/g, { opensLine }),
    whole(/# A fatal error has been detected by the Java Runtime Environment|\bhs_err_pid\d{1,9}\.log/g),
  ],
};

const go: Runtime = {
  name: "Go",
  gate: /goroutine |\.(?:go|s):\d|panic|fatal error: |runtime error: /,
  signs: [
    header(/(?:panic: |http: panic serving )[^\n]{1,300}/g, { opensLine }),
    whole(
      /panic: runtime error: [^\n]{1,300}|fatal error: (?:all goroutines are asleep|concurrent map |stack overflow|unexpected signal|runtime: |out of memory)[^\n]{0,200}|runtime error: invalid memory address or nil pointer dereference/g,
      { opensLine },
    ),
    frame(/\bgoroutine \d{1,9}(?: gp=0x[^[\n]{1,60})? \[[a-zA-Z][^\]\n]{0,80}\]:?/g),
    header(
      /\[signal (?:SIG[A-Z]{2,6}|0x)[^\]\n]{0,160}\]|\bcreated by [\w./()*-]{1,200}(?: in goroutine \d{1,9})?(?=[\r\n])|\[recovered\]/g,
    ),
    frame(/\.(?:go|s):\d{1,6}(?: \+0x[0-9a-f]{1,16}| \(0x[0-9a-f]{1,16}\)|(?=[ \t]{0,4}(?:[\r\n"]|$)))/g, {
      opensLine,
      reachesBack,
    }),
  ],
};

const ruby: Runtime = {
  name: "Ruby",
  gate: /:\d{1,6}:in |\.(?:rb|erb|ru|rake|gemspec|haml|slim):\d|Extracted source/,
  signs: [
    // The place and the message on one line.
    whole(/:\d{1,6}:in [`'"][^'"\n]{1,150}['"]: [^\n]{3,300}/g, { reachesBack }),
    frame(/:\d{1,6}:in (?:[`'"][^'"\n]{1,150}['"]|[\w.#<>:?!]{1,100}(?=[\s"]|$))/g, { reachesBack }),
    frame(/\bfrom [^\s:"']{1,300}\.(?:rb|ru|rake|gemspec):\d{1,6}(?=[\s:"]|$)/g, { opensLine }),
    header(/Extracted source \(around line #?\d{1,6}\)|Application Trace \| Framework Trace/g),
    weak(/\.(?:rb|erb|haml|slim|rake):\d{1,6}(?=[ \t]{0,4}(?:[\r\n":]|$))/g, { opensLine, reachesBack }),
  ],
};

const rust: Runtime = {
  name: "Rust",
  gate: /panicked|backtrace:|BACKTRACE|\.rs:\d|overflowed its stack/,
  signs: [
    whole(
      /\bpanicked at (?:'[^\n]{0,400}', )?(?:[A-Za-z]:)?[^\s"'`:]{1,300}\.rs:\d{1,6}|\bthread '[^'\n]{1,100}'(?: \(\d{1,12}\))? has overflowed its stack/g,
    ),
    header(
      /\bthread '[^'\n]{1,100}'(?: \(\d{1,12}\))? panicked at|\brun with `RUST_BACKTRACE=|\b[sS]tack backtrace:|━ ?BACKTRACE ?━|thread panicked while processing panic/g,
      { warns },
    ),
    frame(/\bat [^\s"():]{0,2}:?[^\s"():]{1,300}\.rs:\d{1,6}(?::\d{1,6})?(?!\w)/g, { opensLine }),
    weak(/\d{1,4}:[ \t]{1,8}(?:0x[0-9a-f]{6,16} - )?[<&\w][^\s"]{0,200}::[^\n"]{1,200}/g, { opensLine }),
    weak(
      /\d{1,4}:[ \t]{1,8}(?:0x[0-9a-f]{6,16} - )?(?:rust_begin_unwind|_start|main|__libc_start\w{0,20}|clone3?|start_thread)(?=\s|$)/g,
      { opensLine },
    ),
  ],
};

const dotnet: Runtime = {
  name: ".NET",
  gate: /:(?:line|Zeile|ligne|l\u00ednea|riga|linha|\u884c\u53f7|\u884c) ?\d|--- End of|nhandled [eE]xception|\) (?:\+\d|\[0x)|(?:\n|\\n|")[ \t]{0,12}(?:at|bei|\u00e0) /,
  signs: [
    // The words for "at", "in" and "line" follow the language of the system.
    frame(
      /(?:\b(?:at|bei|en|in|em)|\u00e0|\u5728|\u5834\u6240) [^\n()]{1,300}\([^()\n]{0,400}\) (?:in|dans|en|em|\u4f4d\u7f6e|\u5834\u6240) [^\n"]{1,300}?:(?:line|Zeile|ligne|l\u00ednea|riga|linha|\u884c\u53f7|\u884c) ?\d{1,6}/g,
    ),
    frame(
      /(?:\b(?:at|bei)|\u00e0) (?=[\w<$])(?:[^\s().]{0,120}\.){2,12}[^\s().]{1,120}\([^()\n"]{0,300}\)(?=[ \t]{0,4}(?:[\r\n"]|$|in |at ))/g,
      { opensLine },
    ),
    weak(
      /(?:\b(?:at|bei)|\u00e0) (?=[\w<$])(?:[^\s().]{1,120}\.)?[^\s().]{1,120}\([^()\n"]{0,300}\)(?=[ \t]{0,4}(?:[\r\n"]|$))/g,
      { opensLine },
    ),
    // ASP.NET pages count bytes, Mono gives an offset; neither says "at" everywhere.
    frame(/\([^()\n"]{0,300}\) (?:\+\d{1,6}(?=[ \t]{0,4}(?:[\r\n<"]|$))|\[0x[0-9a-f]{4,8}\] in )/g, {
      reachesBack,
    }),
    header(
      /--- End of (?:inner exception )?stack trace(?: from previous location[^\n]{0,60})? ---|Unhandled [eE]xception[.:] [A-Z][\w.+`]{1,150}|-{3}> (?:\([^)\n]{1,60}\) )?(?:[A-Z]\w{0,60}\.){1,10}\w{1,100}|Unbehandelte Ausnahme: |Process terminated\. /g,
    ),
  ],
};

const php: Runtime = {
  name: "PHP",
  gate: /\.(?:php|phtml|inc|phar)|\{main\}|Uncaught |Call Stack/,
  signs: [
    whole(
      / in [^\s"]{1,300}\.(?:php\d?|phtml|inc|phar)(?:\/[^\s"]{1,200})?(?:\(\d{1,6}\) : [\w' ()-]{1,60})?(?: on line |:)\d{1,6}/g,
      {
        after:
          /\b(?:(?:Fatal|Parse|Recoverable fatal|Compile|Core) error|Warning|Notice|Deprecated|Strict Standards): /,
      },
    ),
    header(
      /\bUncaught (?:exception ')?[\w\\]{1,120}|\[?[sS]tack ?trace\]?:(?=[ \t]{0,4}[\r\n])|\bCall Stack:|\bthrown in [^\n]{1,300} on line \d{1,6}/g,
    ),
    frame(
      /#\d{1,4}[ \t]{1,4}(?:[^\s"()#][^\n"()]{0,300}\.(?:php\d?|phtml|inc|phar)[^\n"():]{0,60}(?:\(\d{1,6}\)(?: : [\w' ()-]{1,60})?:|:\d{1,6})|\[internal function\]:|\{main\})/g,
    ),
    frame(/\.php:\d{1,6}(?!\w)/g, { reachesBack, after: /->|::|\{main\}|\bat $|#\d|\(\) $|\d\. / }),
    header(/\b[iI]n [\w./\\-]{1,200}\.php line \d{1,6}:?/g, { warns }),
  ],
};

export const runtimes: readonly Runtime[] = [node, python, java, go, ruby, rust, dotnet, php];
