/** Traces of further runtimes, native crashes, traces written as JSON, and lines that name what they should not.
 *  Data for internals-leak.ts. */
import { frame, header, line, type Runtime, weak, whole } from "./sign.ts";

const opensLine = true;
const reachesBack = true;
const warns = true;

const compiled: readonly Runtime[] = [
  {
    name: "Dart",
    gate: /\.dart|Unhandled exception:|dart:/,
    signs: [
      frame(/#\d{1,4} {3,8}[^\n()]{1,200}\((?:package|file|dart|org-dartlang-\w{1,20}):[^()\n]{1,300}\)/g),
      frame(/\b(?:package|dart|file):[^\s]{1,300}\.dart \d{1,6}:\d{1,6}/g),
      header(/Unhandled exception:\r?\n|<asynchronous suspension>/g),
    ],
  },
  {
    name: "Elixir",
    gate: /\*\* |\.(?:exs?|erl|eex|heex)[:",]|GenServer|REPORT====/,
    signs: [
      header(
        /\*\* \((?:(?:[A-Z]\w{0,60}\.){0,6}[A-Z]\w{0,56}(?:Error|Exit|Exception)|EXIT from #PID<[\d.]{1,30}>|exit|throw)\) /g,
        {
          warns,
        },
      ),
      frame(/\.(?:exs?|erl|eex|heex):\d{1,6}: (?:\(file\)|anonymous fn|:?[\w.]{1,120})[^\n"]{0,120}/g, {
        reachesBack,
      }),
      frame(/\{file, ?"[^"\n]{1,200}"\}, ?\{line, ?\d{1,6}\}|\([\w./-]{1,200}\.erl, line \d{1,6}\)/g),
      header(/\*\* exception error: |GenServer [^\n]{1,120} terminating|=(?:CRASH|ERROR) REPORT====/g),
    ],
  },
  {
    name: "C++",
    gate: /terminat|Sanitizer|smashing|core dumped|Assertion |runtime error: |double free|\(\): |0x[0-9a-fA-F]{4}|Segmentation fault|SIG[A-Z]{3}/,
    signs: [
      whole(
        /terminate called (?:after throwing an instance of '|without an active exception|recursively)|(?:libc\+\+abi: )?terminating (?:due to|with) uncaught (?:exception|foreign)|={2,5}\d{1,9}={2,5} ?ERROR: \w{1,30}Sanitizer: |\*{3} stack smashing detected \*{3}|(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception)(?:: \d{1,2})? \(core dumped\)|double free or corruption|malloc\(\): |free\(\): (?:invalid|double)/g,
        { opensLine },
      ),
      whole(
        /\.(?:c|cc|cpp|cxx|h|hpp):\d{1,6}: [^\n]{1,200}: Assertion [`'][^\n]{1,300}' failed|\.(?:c|cc|cpp|cxx|h|hpp):\d{1,6}:\d{1,5}: runtime error: /g,
      ),
      frame(
        /#\d{1,4} {1,4}0x[0-9a-f]{4,16} in [^\n]{1,200}|==\d{1,9}== {2,6}(?:at|by) 0x[0-9A-F]{4,16}: [^\n]{1,200}|\(\+0x[0-9a-f]{1,16}\) ?\[0x[0-9a-f]{4,16}\]|(?:^|\n)[ \t]{0,4}\d{1,3}: 0x[0-9a-f]{6,16} [^\n]{1,200}/g,
      ),
      header(
        /what\(\): {1,2}[^\n]{1,200}|Program received signal SIG[A-Z]{2,6}|Segmentation fault(?=[ \t.!]{0,4}(?:[\r\n"]|$))/g,
        { opensLine, warns },
      ),
    ],
  },
  {
    name: "Swift",
    gate: /\.swift|Fatal error: |Program crashed|0x[0-9a-f]{8}/,
    signs: [
      whole(
        /\.swift:\d{1,6}: Fatal error: |\bFatal error: [^\n]{0,300}: file [^\n]{1,200}, line \d{1,6}|Program crashed: [^\n]{1,100} at 0x/g,
      ),
      frame(
        /\d{1,3} {1,4}(?:\[[a-z]{1,10}\] )?(?:[\w.+-]{1,60}[ \t]{1,40})?0x[0-9a-f]{8,16} [^\n]{1,200}(?: \+ \d{1,9}| in [^\n]{1,80} at )/g,
        { opensLine },
      ),
    ],
  },
  {
    name: "Haskell",
    gate: /CallStack|called at /,
    signs: [
      header(/CallStack \(from (?:HasCallStack|-prof)\):/g, { warns }),
      frame(/\b[\w']{1,60}, called at [^\s]{1,200}\.hs:\d{1,6}:\d{1,5} in /g),
    ],
  },
  {
    name: "OCaml",
    gate: /Fatal error: exception|", line \d/,
    signs: [
      header(/Fatal error: exception [A-Z][\w.]{1,100}/g, { warns }),
      frame(
        /\b(?:Raised|Called|Re-raised)(?: by primitive operation)? (?:at|from) [^\n"]{0,120}file "[^"\n]{1,200}"(?: \(inlined\))?, line \d{1,6}/g,
      ),
    ],
  },
];

const scripted: readonly Runtime[] = [
  {
    name: "Perl",
    gate: / line \d/,
    signs: [
      whole(
        / at [^\s"]{1,300}\.(?:pl|pm|cgi|psgi|t) line \d{1,6}(?:\.|, <[\w$]{1,40}> (?:line|chunk) \d{1,9}\.)(?=\s|["\\]|$)/g,
      ),
      frame(/\bcalled at [^\s"]{1,300} line \d{1,6}| at (?:-e|\(eval \d{1,6}\)) line \d{1,6}/g),
    ],
  },
  {
    name: "Lua",
    gate: /stack traceback:|: in |attempt to /,
    signs: [
      header(/stack traceback:/g, { opensLine, warns }),
      frame(/(?:\[C\]|:\d{1,6}): in (?:function|main chunk|upvalue|local|method|field|metamethod|\?)/g, {
        reachesBack,
      }),
      header(
        /:\d{1,6}: attempt to (?:index|call|perform arithmetic|compare|concatenate|get length)[^\n]{0,120}/g,
        { warns },
      ),
    ],
  },
  {
    name: "PowerShell",
    gate: /char:\d|FullyQualifiedErrorId/,
    signs: [whole(/\bAt [^\n]{1,300}:\d{1,6} char:\d{1,5}|\bFullyQualifiedErrorId : \w/g)],
  },
  {
    name: "Julia",
    gate: /\.jl:\d|Stacktrace:/,
    signs: [header(/\bStacktrace:(?=[ \t]{0,4}[\r\n])/g), frame(/@ [^\n"@]{1,300}?\.jl:\d{1,6}/g)],
  },
];

const LINE_KEY = "(?:line|lineno|lineNumber|line_number|LineNumber)";

const others: readonly Runtime[] = [
  {
    // Frames as objects: the file beside the line, in a list whose name says what it is.
    name: "JSON",
    gate: /"(?:line|Line)\w{0,10}\\{0,3}" ?:/,
    signs: [
      weak(
        new RegExp(
          `"(?:file|filename|fileName|file_name|abs_path|FileName)" ?: ?"[^"\\n]{1,300}",\\s{0,40}(?:"\\w{1,20}" ?: ?"[^"\\n]{0,200}",\\s{0,40}){0,3}"${LINE_KEY}" ?: ?\\d{1,6}`,
          "g",
        ),
      ),
      header(/"(?:trace|stackTrace|stack_trace|stacktrace|backtrace|frames|StackTrace)" ?: ?\[/g),
    ],
  },
  {
    name: "SQL",
    gate: /SQL|[a-z]Error: |ORA-\d|PG::|pq: |ER_[A-Z]|Unclosed quotation|Exception: |Msg \d/,
    signs: [
      line(
        /\bSQLSTATE\[\w{5}\]|\bORA-\d{5}: |\bSQLITE_[A-Z]{3,20}: |\b(?:sqlite3|psycopg2?|pymysql|MySQLdb|asyncpg|sqlalchemy|pyodbc|cx_Oracle)(?:\.\w{1,40}){1,4}: |You have an error in your SQL syntax; check the manual|\bPG::[A-Z]\w{3,60}: |\bpq: (?:relation|column|syntax error|duplicate key|password|function|invalid input)|\bER_[A-Z_]{5,40}: |Unclosed quotation mark after the character string|\b(?:SqlException|SqliteError|SQLSyntaxErrorException|PSQLException|SequelizeDatabaseError|QueryFailedError|PrismaClient\w{1,40}Error|Mysql2::Error|SQLite3::\w{1,40}): |\bMsg \d{1,6}, Level \d{1,2}, State \d{1,3}/g,
      ),
    ],
  },
  {
    name: "path",
    gate: /\bE[A-Z]{4,12}\b|Cannot find/,
    signs: [
      line(
        /\b(?:ENOENT|EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|EROFS|EMFILE)\b[^\n'"]{1,120}['"](?:\/|[A-Za-z]:[\\/])[^'"\n]{1,300}['"]/g,
      ),
      line(/\bCannot find (?:module|package) '[^'\n]{1,200}' imported from \/[^\n]{1,200}/g),
    ],
  },
  {
    // An exception by its full name, where a sentence for people would have none.
    name: "exception",
    gate: /(?:Exception|Error)(?:: |[\r\n"]|$)/,
    signs: [
      line(
        /(?:Error: |Exception: |error: )?\b(?:java|javax|jakarta|kotlin|scala|org|com|io|net|System|Microsoft)(?:\.[A-Za-z_$][\w$]{0,60}){1,8}(?<=Exception|Error)(?:: |(?=[\r\n"]|$))/g,
        { opensLine },
      ),
    ],
  },
];

export const moreRuntimes: readonly Runtime[] = [...compiled, ...scripted, ...others];
