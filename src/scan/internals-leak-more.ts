/** Traces of further runtimes, native crashes, errors of database drivers, and traces written as JSON.
 *  Data for internals-leak.ts, in the shape of internals-leak-signs.ts. */
import type { Sign } from "./internals-leak-signs.ts";

const dart: readonly Sign[] = [
  {
    runtime: "Dart",
    role: "frame",
    pattern: /#\d{1,4} {3,8}[^\n()]{1,200}\((?:package|file|dart|org-dartlang-\w{1,20}):[^()\n]{1,300}\)/g,
  },
  {
    runtime: "Dart",
    role: "frame",
    pattern: /\b(?:package|dart|file):[^\s]{1,300}\.dart \d{1,6}:\d{1,6}/g,
  },
  {
    runtime: "Dart",
    role: "header",
    pattern: /Unhandled exception:\r?\n|<asynchronous suspension>/g,
  },
];

const beam: readonly Sign[] = [
  {
    runtime: "Elixir",
    role: "header",
    warns: true,
    pattern: /\*\* \((?:[A-Z]\w{0,60}(?:\.[A-Z]\w{0,60}){0,6}|EXIT from #PID<[\d.]{1,30}>|exit|throw)\) /g,
  },
  {
    runtime: "Elixir",
    role: "frame",
    reachesBack: true,
    pattern: /\.(?:exs?|erl|eex|heex):\d{1,6}: (?:\(file\)|anonymous fn|:?[\w.]{1,120})[^\n"]{0,120}/g,
  },
  {
    runtime: "Elixir",
    role: "frame",
    pattern: /\{file, ?"[^"\n]{1,200}"\}, ?\{line, ?\d{1,6}\}|\([\w./-]{1,200}\.erl, line \d{1,6}\)/g,
  },
  {
    runtime: "Elixir",
    role: "header",
    pattern: /\*\* exception error: |GenServer [^\n]{1,120} terminating|=(?:CRASH|ERROR) REPORT====/g,
  },
];

const native: readonly Sign[] = [
  {
    runtime: "C++",
    role: "whole",
    opensLine: true,
    pattern:
      /terminate called (?:after throwing an instance of '|without an active exception|recursively)|(?:libc\+\+abi: )?terminating (?:due to|with) uncaught (?:exception|foreign)|={2,5}\d{1,9}={2,5} ?ERROR: \w{1,30}Sanitizer: |\*{3} stack smashing detected \*{3}|(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception)(?:: \d{1,2})? \(core dumped\)|(?:double free or corruption|malloc\(\): |free\(\): (?:invalid|double))/g,
  },
  {
    runtime: "C++",
    role: "whole",
    pattern: /\.(?:c|cc|cpp|cxx|h|hpp):\d{1,6}: [^\n]{1,200}: Assertion [`'][^\n]{1,300}' failed|\.(?:c|cc|cpp|cxx|h|hpp):\d{1,6}:\d{1,5}: runtime error: /g,
  },
  {
    runtime: "C++",
    role: "frame",
    pattern:
      /#\d{1,4} {1,4}0x[0-9a-f]{4,16} in [^\n]{1,200}|==\d{1,9}== {2,6}(?:at|by) 0x[0-9A-F]{4,16}: [^\n]{1,200}|\(\+0x[0-9a-f]{1,16}\) ?\[0x[0-9a-f]{4,16}\]|(?:^|\n)[ \t]{0,4}\d{1,3}: 0x[0-9a-f]{6,16} [^\n]{1,200}/g,
  },
  {
    runtime: "C++",
    role: "header",
    opensLine: true,
    warns: true,
    pattern: /what\(\): {1,2}[^\n]{1,200}|Program received signal SIG[A-Z]{2,6}|Segmentation fault(?=[ \t.!]{0,4}(?:[\r\n"]|$))/g,
  },
  {
    runtime: "Swift",
    role: "whole",
    pattern: /\.swift:\d{1,6}: Fatal error: |\bFatal error: [^\n]{0,300}: file [^\n]{1,200}, line \d{1,6}|Program crashed: [^\n]{1,100} at 0x/g,
  },
  {
    runtime: "Swift",
    role: "frame",
    opensLine: true,
    pattern: /\d{1,3} {1,4}(?:\[[a-z]{1,10}\] )?(?:[\w.+-]{1,60}[ \t]{1,40})?0x[0-9a-f]{8,16} [^\n]{1,200}(?: \+ \d{1,9}| in [^\n]{1,80} at )/g,
  },
];

const scripting: readonly Sign[] = [
  {
    runtime: "Perl",
    role: "whole",
    pattern: / at [^\s"]{1,300}\.(?:pl|pm|cgi|psgi|t) line \d{1,6}(?:\.|, <[\w$]{1,40}> (?:line|chunk) \d{1,9}\.)(?=\s|["\\]|$)/g,
  },
  {
    runtime: "Perl",
    role: "frame",
    pattern: /\bcalled at [^\s"]{1,300} line \d{1,6}| at (?:-e|\(eval \d{1,6}\)) line \d{1,6}/g,
  },
  {
    runtime: "Lua",
    role: "header",
    warns: true,
    opensLine: true,
    pattern: /stack traceback:/g,
  },
  {
    runtime: "Lua",
    role: "frame",
    pattern: /(?:\[C\]|:\d{1,6}): in (?:function|main chunk|upvalue|local|method|field|metamethod|\?)/g,
    reachesBack: true,
  },
  {
    runtime: "Lua",
    role: "header",
    warns: true,
    pattern: /:\d{1,6}: attempt to (?:index|call|perform arithmetic|compare|concatenate|get length)[^\n]{0,120}/g,
  },
  {
    runtime: "PowerShell",
    role: "whole",
    pattern: /\bAt [^\n]{1,300}:\d{1,6} char:\d{1,5}|\bFullyQualifiedErrorId : \w/g,
  },
  {
    runtime: "Haskell",
    role: "header",
    warns: true,
    pattern: /CallStack \(from (?:HasCallStack|-prof)\):/g,
  },
  {
    runtime: "Haskell",
    role: "frame",
    pattern: /\b[\w']{1,60}, called at [^\s]{1,200}\.hs:\d{1,6}:\d{1,5} in /g,
  },
  {
    runtime: "OCaml",
    role: "frame",
    pattern: /\b(?:Raised|Called|Re-raised)(?: by primitive operation)? (?:at|from) [^\n]{0,120}file "[^"\n]{1,200}"(?: \(inlined\))?, line \d{1,6}/g,
  },
  {
    runtime: "OCaml",
    role: "header",
    warns: true,
    pattern: /Fatal error: exception [A-Z][\w.]{1,100}/g,
  },
  {
    runtime: "Julia",
    role: "header",
    pattern: /\bStacktrace:(?=[ \t]{0,4}[\r\n])/g,
  },
  {
    runtime: "Julia",
    role: "frame",
    pattern: /@ [^\n"]{1,300}?\.jl:\d{1,6}/g,
  },
];

const structured: readonly Sign[] = [
  {
    // Frames as objects: the file beside the line, in a list whose name says what it is.
    runtime: "JSON",
    role: "weak",
    pattern:
      /"(?:file|filename|fileName|file_name|abs_path|FileName)" ?: ?"[^"\n]{1,300}",\s{0,40}(?:"\w{1,20}" ?: ?"[^"\n]{0,200}",\s{0,40}){0,3}"(?:line|lineno|lineNumber|line_number|LineNumber)" ?: ?\d{1,6}/g,
  },
  {
    runtime: "JSON",
    role: "header",
    pattern: /"(?:trace|stackTrace|stack_trace|stacktrace|backtrace|frames|StackTrace)" ?: ?\[/g,
  },
];

const leaks: readonly Sign[] = [
  {
    runtime: "SQL",
    role: "line",
    pattern:
      /\bSQLSTATE\[\w{5}\]|\bORA-\d{5}: |\bSQLITE_[A-Z]{3,20}: |\b(?:sqlite3|psycopg2?|pymysql|MySQLdb|asyncpg|sqlalchemy|pyodbc|cx_Oracle)(?:\.\w{1,40}){1,4}: |You have an error in your SQL syntax; check the manual|\bPG::[A-Z]\w{3,60}: |\bpq: (?:relation|column|syntax error|duplicate key|password|function|invalid input)|\bER_[A-Z_]{5,40}: |Unclosed quotation mark after the character string|\b(?:SqlException|SqliteError|SQLSyntaxErrorException|PSQLException|SequelizeDatabaseError|QueryFailedError|PrismaClient\w{1,40}Error|Mysql2::Error|SQLite3::\w{1,40}): |\bMsg \d{1,6}, Level \d{1,2}, State \d{1,3}/g,
  },
  {
    runtime: "path",
    role: "line",
    pattern:
      /\b(?:ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|EROFS|EMFILE)\b[^\n]{1,120}?['"](?:\/|[A-Za-z]:[\\/])[^'"\n]{1,300}['"]|\bCannot find (?:module|package) '[^'\n]{1,200}'[^\n]{0,20}\n?[^\n]{0,10}(?:imported from|Require stack:?)[^\n]{0,4}\n?[^\n]{0,4}\/[^\n]{1,200}/g,
  },
  {
    // An exception by its full name, where a sentence for people would have none.
    runtime: "exception",
    role: "line",
    opensLine: true,
    pattern:
      /(?:Error: |Exception: |error: )?(?:java|javax|jakarta|kotlin|scala|org|com|io|net|System|Microsoft)(?:\.[A-Za-z_$][\w$]{0,60}){1,8}(?:Exception|Error)(?:: |(?=[\r\n"]|$))/g,
  },
];

export const moreSigns: readonly Sign[] = [
  ...dart,
  ...beam,
  ...native,
  ...scripting,
  ...structured,
  ...leaks,
];
