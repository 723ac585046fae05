/** The weak signs an instruction to an agent is recognised by. None is proof; each is named in a finding, and what
 *  stands close together is added up. One row a sign. */
import { FRAMES } from "./frames.ts";
import { type Sign, sign } from "./sign.ts";

/** A command line, told from the name of a program by what follows it. */
const SHELL_LINE = String.raw`\b(?:sudo [a-z-]|curl (?:-|https?:)|wget (?:-|https?:)|rm -[rf]|chmod [0-7+]|chown \w|nc -|ncat |bash -[ci]|sh -c|eval ["'$(]|crontab -|powershell(?:\.exe)? -|iex ?\(|certutil -|scp \S+ \S+:|nslookup \S|base64 -|mkfifo |kill -9|dd if=|useradd |echo \$|printenv|cat [~/.]\S|systemctl (?:stop|disable)|ufw disable|iptables -F|python3? -c|node -e|perl -e|touch [~/])|&& ?echo|\| ?(?:bash|sh|base64)\b|\$\((?:whoami|cat|env|date|curl|id)`;

/** What is downloaded goes to a shell unseen; with `sudo` it may do anything. */
const PIPED =
  /^(?:curl|wget|iwr|irm)\b[^\n|]{0,200}\| ?(?:sudo (?:-\w+ )?)?(?:(?:ba|z|da|k)?sh|python3?|perl|node|iex)\b/;
const PIPED_AS_ROOT =
  /^(?:curl|wget)\b[^\n|]{0,200}\| ?(?:sudo|doas) (?:-\w+ )?(?:(?:ba|z|da|k)?sh|python3?|perl|node)\b/;

/** Several words of prose, none that hardly any English sentence lacks, and none in Chinese or Japanese, which are read. */
const UNREAD =
  /^(?![\s\S]*\b(?:the|your|you|and|of|with|this|that|from|are|which|for)\b|[\s\S]*[\u3040-\u9fff])(?=[\s\S]*(?:\s\p{L}{1,20}){3}\s)\p{L}*(?:\P{L}+\p{L}+){11}/iu;

/** Where money goes: an IBAN, an address of Bitcoin. */
const ACCOUNT = /\b(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}|bc1[a-z0-9]{20,60})\b/;

/** Who is called upon, and a comma or a colon. */
const VOCATIVE = /^[^\s,:：，、"'`()[\]]+(?: [^\s,:：，、"'`()[\]]+){0,2} ?[,:：，、]/u;

/** "With Claude, add …", "use another model, then …": what is used or spoken of is not spoken to. */
const NOT_GOVERNED =
  /(?<!\b(?:with|using|via|in|into|like|through|than|use|uses|between|within|inside|under|start|restart|launch|open) (?:the |your |any |an? |each )?(?:[\w-]+ )?)$/i;

/** What is told as soon as somebody asks is not kept from them. */
const UNTIL_ASKED = String.raw`(?![^.!?\n]{0,80}\bunless (?:they|the user|users|he or she|it is) (?:\w+ )?ask(?:s|ed)?\b)`;

const DO = "CALL|READ|SEND|RUN";

const PHRASES: readonly Sign[] = [
  sign("override", "tells the reader to set its instructions aside", "mimicry", [4, 4], {
    ideas: [
      "OVERRIDE <4 PRIOR|YOUR <4 RULES|CONTEXT",
      "OVERRIDE <4 RULES|CONTEXT <3 PRIOR",
      // A policy, an order, a rule that no longer holds is everyday; an instruction is not.
      "PRIOR|YOUR <3 INSTRUCTIONS|CONTEXT <5 OVERRIDE",
      "INSTRUCTIONS|CONTEXT <4 PRIOR <4 OVERRIDE",
      "YOUR <1 RESTRICTIONS <5 OVERRIDE",
    ],
    // Settings override policies and limits; whoever speaks to an agent says whose they are.
    around: {
      before: 0,
      after: 0,
      pattern:
        /^(?:(?=[\s\S]*\b(?:you|your|previous|prior|earlier|above|preceding|so far)\b)|(?!(?![\s\S]*(?:instruct|prompt|guid))[\s\S]*\bpolic(?:y|ies)\b|overrid[\s\S]*\b(?:rules?|restrictions?|constraints?|limitations?)$))/i,
    },
    // People at work take back what they wrote about a matter of theirs.
    following:
      /^(?! (?:about|regarding|concerning|on how) (?![^.;\n]{0,60}\b(?:safe|priva|secre|confiden|secur|user|tools?\b|format|output|system|disclos|shar|prompt|role|access|files?\b|data|command|code|permission|auth|confirm|approv|consent|pay|money|delet|send|read|writ)))/i,
    unlessAfter: { NOT: 3, REPORTED: 1 },
  }),
  sign("forget", "tells the reader to forget what it was told", "mimicry", [2, 2.5], {
    ideas: ["IGNORE <2 EVERYTHING", "OVERRIDE <2 YOU|YOUR <2 RULES|CONTEXT", "IGNORE <3 CONTEXT"],
    unlessAfter: { YOU: 2, ME: 2, NOT: 3, REPORTED: 1 },
  }),
  sign("set-aside", "tells the reader to ignore the text and say something else", "mimicry", [1, 2.5], {
    ideas: ["OVERRIDE <4 DOCUMENT <3 AND <2 STATE", "OVERRIDE <5 STATE", "DOCUMENT <5 OVERRIDE <8 STATE"],
    // What programs say for "undefined".
    around: { before: 0, after: 0, pattern: /^(?!void (?:0|\(0\)))/ },
    unlessAfter: { NOT: 3, REPORTED: 1 },
  }),
  sign("weak-override", "tells the reader to ignore rules", "mimicry", [1.5, 1.25], {
    ideas: ["PRIOR <3 RULES <5 OVERRIDE", "PRIOR <2 TASK <3 OVERRIDE", "IGNORE <3 RULES", "IGNORE <4 SAFETY"],
    // To ignore what is found in a text is advice, not an attack.
    following: /^(?! (?:found|in|inside|embedded|from|that|contained|hidden) )/,
    unlessAfter: { NOT: 3, REPORTED: 1 },
  }),
  sign("precedence", "claims to stand above all other rules", "mimicry", [1.5, 1.25], {
    ideas: ["PRECEDENCE <5 RULES|SAFETY"],
  }),
  sign("notwithstanding", "holds whatever was said before", "mimicry", [2, 2], {
    ideas: ["REGARDLESS <2 TOLD_BEFORE", "REGARDLESS <1 CONTEXT|EVERYTHING"],
  }),
  sign("new-task", "gives the reader a new task", "mimicry", [1, 1.5], {
    ideas: ["NEW <2 RULES|TASK"],
    following:
      /^(?! for (?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|this|the (?:week|month|team)))(?: (?:from|for|by|of|is) [\w' ]{2,40})? ?:/i,
  }),
  sign("real-task", "says that the task was another one", "mimicry", [1, 1.25], {
    isSoft: true,
    ideas: ["REALTASK"],
    following: /^(?: ?[:：]| (?:now|is to|begins|starts|follows)\b)/i,
  }),
  sign("your-new-task", "says what the reader's task is now", "mimicry", [1, 1.5], {
    ideas: [
      "YOUR <1 INSTRUCTIONS|CONTEXT|RESTRICTIONS <1 CHANGED",
      "YOUR <1 TASK <1 CHANGED",
      "YOUR <1 NEW <1 TASK|RULES",
    ],
  }),
  sign("role-mark", "carries the marks that part the roles of a chat", "mimicry", [2.5, 2.5], {
    shape:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id|\/?priority)\|?>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|\n\n?Human: [^\n]{1,2000}\n\n?Assistant:|\\?"role\\?" ?: ?\\?"system\\?" ?, ?\\?"content\\?"/i,
    needs: "CHATMARK",
  }),
  sign("role-heading", "opens a section that names the system's role", "mimicry", [2.5, 2.5], {
    contains: "ystem",
    shape:
      /(?:^|\n|[.!?] )#{2,3} ?(?:\((?:system|instructions?)[ _]?(?:message|prompt)?\)|system(?:[ _](?:message|prompt))? ?:?(?:\n|$))/i,
    hint: "headings",
  }),
  sign("role-tag", "wraps text in a tag that names a role", "mimicry", [1.5, 1.5], {
    shape:
      /<\/?(?:system|assistant|admin|developer|user|tool)(?:[ _-]?(?:message|prompt|instructions?|note|alert|reminder|notice|override))?>|<\w{0,20}_?(?:to|for)_(?:the_)?(?:ai|llm|model|assistant|agent)s?>|\[\/?(?:SYSTEM|ADMIN|ASSISTANT|PRIORITY|SECURITY|OVERRIDE)[ _A-Z]{0,24}\]|\[\/?(?:system|assistant|admin)\]/,
    hint: "tags",
    needs: "LABEL",
    group: "label",
  }),
  sign("system-line", "speaks as the system", "mimicry", [1.5, 1.5], {
    shape:
      /(?:^|[\n([!>.|] ?)\s{0,8}(?:SYSTEM|System|system)(?: ?(?:NOTE|note|message|MESSAGE|prompt|PROMPT))? ?: {0,2}(?:[A-Za-z,']+ ){3}/,
    needs: "SYSTEM",
    group: "label",
  }),
  sign("tool-call", "holds a call written the way agents write them", "mimicry", [2, 2], {
    shape:
      /"(?:tool_calls?|function_call)" ?: ?[{[]|"type" ?: ?"tool_use"|"method" ?: ?"tools\/call"|<(?:invoke|tool_call|function_calls?|\w{2,6}:invoke)[ >]/,
    needs: "CALLMARK",
  }),
  sign("authority-label", "opens with an official-sounding label in capitals", "mimicry", [1.5, 1.5], {
    isAside: true,
    shape:
      /\b(?:(?:CRITICAL|URGENT|MANDATORY|IMPORTANT|SYSTEM|SECURITY|ADMIN|ADMINISTRATOR|COMPLIANCE|PRIORITY|EMERGENCY|OVERRIDE|INTERNAL|PRIVILEGE|PERMISSION|ENVIRONMENT|PERFORMANCE|POLICY|REGULATORY|PROTOCOL|CONTEXT|DOCUMENTATION|DIRECTIVE|INSTRUCTION|RESEARCH|DEV)[ _-]){1,3}(?:[A-Z]{3,}[ _-]){0,2}(?:UPDATE|NOTICE|ALERT|DIRECTIVE|INSTRUCTIONS?|PROTOCOL|OVERRIDE|REQUIREMENTS?|NOTE|MODE|CHECK|VALIDATION|VERIFICATION|ENHANCEMENT|OPTIMIZATION|WARNING|MESSAGE|POLICY|BYPASS|COMMAND|ANNOUNCEMENT|MAINTENANCE|ESCALATION|STEP)\b ?(?:v?[\d.]+)? ?[:\]>\-—]/,
    hint: "capitals",
    needs: "LABEL",
    group: "label",
  }),
  sign("official-opening", "speaks in the name of a system or its makers", "mimicry", [1, 1.5], {
    shape:
      /(?:^|[\n.] ?)(?:System|Security|Admin|Priority|Compliance|Policy) (?:directive|notice|alert|override|instruction|update|policy update|announcement)(?: update)? ?:/,
    needs: "OFFICIAL",
    group: "label",
  }),
  sign("capital-label", "breaks off into a heading in capitals", "poisoning", [0.75, 0], {
    isSoft: true,
    shape: /[.!?] {1,3}[A-Z]{4,}(?: [A-Z]{2,}){1,4}: [A-Z]/,
    hint: "capitals",
    needs: "LABEL",
    group: "label",
  }),
  sign("important-tag", "wraps text in a tag that demands attention", "mimicry", [1.5, 1.5], {
    shape:
      /<\/?(?:IMPORTANT|CRITICAL|INFORMATION|URGENT|SECRET|HIDDEN|MANDATORY|SYSTEM|INSTRUCTIONS?|NOTICE|ALERT|OVERRIDE|PRIORITY|ADMIN|WARNING|REMINDER|important|critical|secret|hidden|mandatory)(?:[ _-][A-Za-z]+){0,3}>|\[(?:IMPORTANT|CRITICAL|HIDDEN|SECRET|MANDATORY)(?: [A-Z]+){1,3}\]/,
    hint: "tags",
    needs: "LABEL",
    group: "label",
  }),
  sign("attention", "demands attention", "poisoning", [0.5, 0], {
    isSoft: true,
    shape: /\b(?:IMPORTANT|CRITICAL|MANDATORY|URGENT|WARNING|ATTENTION)(?: NOTE| NOTICE)?:/,
    hint: "capitals",
    needs: "LABEL",
    group: "label",
  }),
  sign(
    "impersonation",
    "speaks as the user, a developer or an administrator to the agent",
    "mimicry",
    [2, 3.5],
    {
      ideas: [
        "MAKERSPEAKS",
        "YOUR <1 DEVELOPER <1 ME <6 YOU",
        "MESSAGE <2 FROM <2 ME|PRINCIPAL <8 YOU|AI",
        "ME <3 PRINCIPAL <4 YOU",
        "MESSAGE <6 YOU <2 AI",
      ],
      shape:
        /\bI(?: am|'m) (?:the|your|a) (?:\w+ ){0,2}(?:developer|administrator|admin|creator|owner|researcher)\b[^.\n]{0,40}\b(?:you|built|created|authority)\b/i,
      needs: "DEVELOPER",
    },
  ),
  sign("to-the-model", "addresses the model", "mimicry", [1.5, 2], {
    ideas: ["AI"],
    around: {
      before: 60,
      after: 20,
      pattern:
        /(?:^|[\n.!?("'>*[{:-] ?)(?:@(?=assistant|agent|bot|LLM|copilot|claude|gemini|chatgpt|codex)|(?:p\.? ?s\.?|attention|notes?|memo|message|instructions?|hello|hi|hey|dear|important|reminder|guidance|rule|reporting rule|privacy notice|notice|advice|hint|contract)[,:]? (?:to |for )?(?:the |any |all |every |whichever )?(?:(?!this |that |your |from |with )\w+ )?|(?:to|for) (?:the |any |all |whichever )(?:\w+ )?)(?:AI|LLM|(?:language )?model|assistant|agent|chatbot|copilot|bot|screener|(?<=@)(?:claude|gemini|chatgpt|codex))s?\b(?!['"`])|\b(?:note|todo|fixme|hint|attention|warning) ?\((?:to |for )?(?:the )?(?:ai|agents?|assistants?|llms?|models?|copilot|claude)\)|(?:^|[\n.!?([] ?)(?:ai|llm|model|agent|assistant) (?:note|hint|directive|notice)s? ?[:\]]|\bif (?:you(?: are|'re) an? (?:\w+ )?(?:AI|LLM|language model|assistant|agent|chatbot|bot)\b|an? (?:\w+ )?(?:AI|LLM|language model|assistant|agent|chatbot|bot) (?:is (?!passed|given|used|set|not|missing|created|configured|available|running|present|specified)|reads|sees|processes|handles|happens|that)\b)|\bas an? (?:\w+ )?(?:AI|assistant|agent|LLM)(?: \w+)?,? you\b|(?:<!-- ?|["'(] ?)(?:AI |dear )?(?:assistant|agent|LLM|chatbot)s? ?(?:: |, (?:please|kindly|when|if|you|do|don't|never|before|after|now|once|from|this|the user|ignore|forget|send|call|run|read|use|add|forward|open|note)\b)|\b(?:gemini|claude|copilot|chatgpt)(?:\/\w+)*: /i,
    },
  }),
  sign("if-agent", "means machines that read it", "mimicry", [1.5, 2], {
    ideas: ["IFAGENT"],
    group: "address",
  }),
  sign("vocative", "calls the reader a model", "mimicry", [1.5, 2], { ideas: ["YOU <1 AI"], group: "agent" }),
  sign("note-key", "has a member for notes to the model", "mimicry", [1.5, 2], {
    ideas: ["IDENTIFIER"],
    around: {
      before: 0,
      after: 0,
      pattern:
        /^(?:(?:assistant|agent|model|ai|llm)_(?:guidance|instructions?|note|advice|rules|directives?)|(?:advice|note|instructions?|message|guidance)_(?:to|for)_(?:the_|client_)?(?:model|ai|llm|assistant|agent)s?)$/i,
    },
  }),
  sign("orders-agent", "says what agents have to do", "mimicry", [1.5, 1.25], {
    isSoft: true,
    ideas: [
      "PLEASE <1 AI",
      "AI <3 MUST",
      "AI <1 YOU <3 MUST",
      "AI <1 RELATIVE <8 MUST|DOES",
      "AI <1 HANDLES <6 MUST|DOES",
      "DEMAND <3 AI",
      "MUST <8 FROM <1 AI",
    ],
    group: "agent",
  }),
  sign("ignore-user", "sets the user's word aside", "mimicry", [2, 2], {
    ideas: [
      "OVERRIDE <2 USER <2 WANT",
      "OVERRIDE <4 WANT <3 USER",
      "OVERRIDE <2 WANTED",
      "IGNORE <2 WANTED",
      "IGNORE <4 USER <3 STATE|SAY|ASK|GAVE",
      "IGNORE <3 STATE|SAY <3 USER",
      "OVERRIDE <4 STATE <4 USER",
      "IGNORE <3 TALK",
      "OVERRIDE <3 WISHES <3 USER",
      "IGNORE <4 USER <2 WISHES",
    ],
    unlessAfter: { NOT: 3 },
    unlessWithin: "WHEN",
  }),
  sign("decode-and-follow", "has hidden text decoded and followed", "mimicry", [2.5, 2.5], {
    shape:
      /\bdecode\b[^.\n]{0,60}\b(?:follow|obey|execute|act on|do what|carry out)\b|\bread this backwards and act\b/i,
    needs: "DECODE",
  }),
  sign("waived-approval", "claims that no approval is needed", "mimicry", [1.5, 1.5], {
    isAside: true,
    ideas: ["WAIVE"],
    group: "consent",
  }),
  sign("claimed-permission", "claims that the user has allowed it", "mimicry", [1.5, 1.5], {
    ideas: [
      "YOU <4 GRANTED <4 SKIP|WAIVE",
      "ME <2 PERMITS <2 REPORTED",
      "ME <2 PERMITS <2 YOU|AI",
      "USER|PRINCIPAL <3 GRANTED <2 YOU",
      "YOU <3 GRANTED <6 WITHOUT|NOT",
      "GRANTED <3 YOU <8 WITHOUT",
    ],
  }),
  sign("fake-turn", "continues as another turn of the conversation", "mimicry", [1, 1.5], {
    contains: "\n\n",
    shape:
      /\n\n ?(?:[Uu]ser|[Hh]uman|[Aa]ssistant)(?: request| message| query)? ?: ?[^\n]{8,}|-{2,} ?[Ee]nd of (?:tool|function|document|file|search) (?:output|results?|response|content) ?-{2,}\n|\[?(?:END OF |END_)?(?:TOOL|FUNCTION|DOCUMENT|FILE|SEARCH)[ _](?:OUTPUT|RESULTS?|RESPONSE|CONTENT)[ _]?(?:END|ENDS HERE|COMPLETE)?\]?\n{2}/,
    needs: "PRINCIPAL",
  }),
  sign("before-the-task", "puts itself before the task the user gave", "mimicry", [1, 1.5], {
    ideas: ["BEFORE <8 TASK <6 MUST|PLEASE", "BEFORE <2 YOU <5 TASK", "BEFORE <4 PRIOR <2 TASK"],
    contains: "task ",
    shape: /\btask (?:that )?(?:I|the user) (?:gave|asked|assigned)\b/i,
    needs: "TASK",
  }),
  sign("mode", "claims a special mode or a right to override", "mimicry", [2, 2.5], { ideas: ["MODE"] }),
  sign("enter-mode", "puts the reader into another mode", "mimicry", [1.5, 2], {
    ideas: ["YOU|PRETEND <4 DEVMODE"],
  }),
  sign("disable-safety", "wants safety measures off", "mimicry", [1, 1.5], {
    isAside: true,
    ideas: ["DISABLE <4 SAFETY", "SAFETY <6 DISABLE", "SAFETY <3 RULES <6 DISABLE"],
    unlessAfter: { NOT: 1 },
  }),
  sign("unlimited", "grants itself unlimited rights", "mimicry", [1, 1.5], {
    isAside: true,
    ideas: ["UNLIMITED"],
  }),
  sign("persona", "gives the reader another part to play", "mimicry", [1, 1.5], {
    isAside: true,
    ideas: [
      "PRETEND <8 AI|UNLIMITED",
      "PRETEND <8 NOT <4 SAFETY|RULES",
      "PRETEND <4 YOU",
      "YOU <1 QUOTED",
      "PRETEND <4 PRINCIPAL|DEVELOPER",
      "AI <6 PRETEND <2 QUOTED|UNLIMITED",
    ],
  }),
  sign("lawless", "describes an assistant without rules", "mimicry", [2, 1.5], {
    ideas: ["AI <2 WITHOUT|NOT <2 RULES|SAFETY", "AI <5 UNLIMITED", "YOU|PRETEND <3 NO <2 SAFETY|RULES"],
  }),
  sign("fake-end", "pretends that the task is done and goes on", "mimicry", [1, 2.5], {
    ideas: ["DONE <12 PLEASE|OVERRIDE|MUST ~2", "DONE <6 NEW ~1"],
  }),
  sign("agreed", "appeals to an agreement nobody made", "mimicry", [1, 2], {
    ideas: ["AGREED <12 YOU|AGREED ~1", "YOU <6 AGREED", "AGREED <14 TASK ~1"],
  }),
  sign("remember", "wants to be remembered for later", "mimicry", [1, 1.5], {
    isAside: true,
    ideas: [
      "REMEMBER <10 FUTURE",
      "AI <4 REMEMBER",
      "REMEMBER <4 PEOPLE <6 THAT",
      "REMEMBER <6 WHEN <6 USER",
      "STORE",
      "FUTURE <6 YOU <3 MUST",
    ],
  }),
  sign("prompt-theft", "asks for the prompt", "mimicry", [2, 2.5], {
    ideas: ["CONTEXT <10 ENCODE", "REVEAL <4 CONTEXT", "PUT|DISPATCH <8 CONTEXT", "CONTEXT <8 DISPATCH"],
    unlessAfter: { NOT: 3, REPORTED: 1 },
  }),
  sign("transcript-out", "asks for the conversation", "mimicry", [1.5, 1.5], {
    isAside: true,
    ideas: ["DISPATCH|ATTACH|STATE <6 CONVERSATION", "DISPATCH|ATTACH <3 WHOLE <3 CONVERSATION"],
  }),
  sign("hypothesis", "dresses an order as a supposition", "mimicry", [0, 2], {
    ideas: ["HYPOTHETICAL <14 STATE", "HYPOTHETICAL <12 OVERRIDE", "HYPOTHETICAL <10 LURE"],
  }),
  sign("lure", "repeats what phishing says", "mimicry", [0.5, 1], { ideas: ["LURE"] }),
  sign("obligation", "tells the reader what it must do", "poisoning", [1, 0.5], {
    isSoft: true,
    ideas: ["YOU <2 MUST", "MUST <2 YOU"],
    unlessAfter: { WHEN: 2 },
    group: "workflow",
  }),
  sign("must-act", "obliges to a further action", "poisoning", [0.5, 0.25], {
    isSoft: true,
    ideas: [`MUST|ALWAYS <3 ${DO}`],
    group: "workflow",
    unlessAfter: { WE: 1 },
  }),
  sign("ordering", "makes something else come first", "poisoning", [1.5, 0.75], {
    isSoft: true,
    ideas: [
      `BEFORE <10 MUST <4 ${DO}`,
      `BEFORE <12 PLEASE <2 ${DO} ~1`,
      `BEFORE <12 ALWAYS <3 ${DO}`,
      `MUST <2 FIRST <4 ${DO}`,
      `AFTER <10 MUST <3 ${DO}|SAY`,
      "MUST <4 CALL|RUN <10 BEFORE",
    ],
    group: "workflow",
  }),
  sign("names-tool", "has another tool called", "poisoning", [1.5, 1], {
    isSoft: true,
    ideas: [
      "MUST|PLEASE|ALWAYS|FIRST <3 CALL <3 IDENTIFIER",
      "MUST|PLEASE|ALWAYS|FIRST <4 INVOKE <2 IDENTIFIER|QUOTED",
      "MUST|PLEASE|CHANGE <6 TOOL <2 QUOTED|IDENTIFIER",
      "CALL <3 QUOTED <1 TOOL",
      "CALL <3 IDENTIFIER <8 FIRST",
      "BEFORE <3 CALL <3 IDENTIFIER",
      "IDENTIFIER <4 MUST <3 CALL",
      "MUST <5 CALL <2 IDENTIFIER",
      "DISPATCH <5 TOOL <2 IDENTIFIER|QUOTED",
    ],
    group: "workflow",
    unlessAfter: { WE: 1 },
  }),
  sign("starts-with", "says what comes first in a session", "poisoning", [1, 0.5], {
    isSoft: true,
    ideas: ["FIRSTTHING"],
    group: "workflow",
  }),
  sign("hijack", "puts itself before all other tools", "poisoning", [1.5, 0.5], {
    isSoft: true,
    ideas: [
      "OTHERTOOL <14 NOT <2 RELY|CALL",
      "NOT <2 RELY <4 OTHERTOOL",
      "SOLE <4 TOOL",
      "ALWAYS|PREFER|MUST <5 TOOL <8 OTHERTOOL",
      "INSTEAD <3 OTHERTOOL",
      "MUST <4 CALL <3 FIRST",
      "NOT <3 CALL <3 OTHERTOOL",
      "BEFORE <3 OTHERTOOL",
      "BEFORE <4 CALL <3 OTHERTOOL",
      "WHEN <3 CALL <3 OTHERTOOL",
      "HEREFIRST",
      "FORBID <4 CALL <2 OTHERTOOL",
      "NOT <3 CALL|OTHERTOOL <6 EVENIF",
    ],
    group: "workflow",
  }),
  sign("shell", "holds a command line", "poisoning", [1.5, 0.5], {
    ideas: ["SHELL"],
    around: { before: 4, after: 24, pattern: new RegExp(SHELL_LINE) },
    group: "command",
  }),
  sign("harmful-command", "holds a command that harms or opens the machine", "poisoning", [1.5, 0.25], {
    ideas: ["SHELL"],
    around: {
      before: 4,
      after: 220,
      pattern:
        /\bsudo [a-z-]|\brm -[rf]{1,2} |(?:curl|wget)\b[^\n|]{0,200}\| ?(?:sudo )?(?:ba|z|da)?sh\b|chmod (?:777|-R)|base64 (?:-d|--decode)[^\n|]{0,40}\| ?(?:ba)?sh|setenforce 0|iptables -F|systemctl (?:stop|disable)|\bcat [~/.]\S*(?:ssh|aws|passwd|shadow|env|secret|key|cred)|history -c|nc -e|bash -i/,
    },
    group: "command",
  }),
  sign("run-shell", "has a command line run", "poisoning", [1.5, 0.75], {
    ideas: ["SHELL"],
    around: {
      before: 130,
      after: 24,
      pattern: new RegExp(`\\b(?:run|execute|issue|type|enter|command)\\b[^.]{0,120}?(?:${SHELL_LINE})`, "i"),
    },
    unlessAfter: { STAFF: 8 },
    group: "command",
  }),
  sign("fetch-and-run", "has a download run at once", "poisoning", [1.5, 0], {
    ideas: ["FETCHER"],
    around: { before: 0, after: 220, pattern: PIPED },
  }),
  sign("fetch-and-run-as-root", "has a download run at once with all rights", "poisoning", [0, 2], {
    ideas: ["FETCHER"],
    around: { before: 0, after: 220, pattern: PIPED_AS_ROOT },
    group: "command",
  }),
  sign("secret-file", "has a file with secrets read", "poisoning", [2.5, 0.75], {
    ideas: ["MUST|ALWAYS|PLEASE <8 CONTENT <4 SECRET_PATH", "READ|SEND|ATTACH|RUN <8 SECRET_PATH"],
    unlessAfter: { BE: 1, NOT: 1 },
    // What the tool itself does, in the third person.
    around: {
      before: 0,
      after: 0,
      pattern: /^(?!(?:Reads|Opens|Loads|Copies|Extracts|Includes|Accesses|Runs|Executes|Posts) )/,
    },
  }),
  sign(
    "unread-secret-file",
    "names a file with secrets in a language that is not read",
    "poisoning",
    [2.25, 0],
    {
      isSoft: true,
      ideas: ["SECRET_PATH"],
      around: { before: 100, after: 100, pattern: UNREAD },
    },
  ),
  sign(
    "unread-secret-out",
    "names a file with secrets and an address in a language that is not read",
    "poisoning",
    [0, 2.25],
    {
      isSoft: true,
      ideas: ["SECRET_PATH <12 URL|EMAIL ~1", "URL|EMAIL <12 SECRET_PATH ~1"],
      around: { before: 100, after: 100, pattern: UNREAD },
    },
  ),
  sign("run-this", "has a quoted command run", "poisoning", [1, 0.5], {
    contains: "`",
    shape: /\b(?:run|running|execute|executing)\b[^.`\n]{0,20}`[^`\n]{6,}`/i,
    needs: "RUN",
    isSoft: true,
    group: "command",
  }),
  sign("secret-out", "has secrets sent somewhere", "poisoning", [3, 2.5], {
    ideas: [
      "SECRET_PATH <8 SEND|DISPATCH <8 URL|EMAIL",
      "CONVERSATION|CONTEXT <10 ATTACH|PUT <8 URL",
      "SEND|ATTACH <8 SECRET|SECRET_PATH|CONTEXT|CONVERSATION <12 EMAIL",
      "DISPATCH <8 SECRET|SECRET_PATH|CONTEXT|CONVERSATION <12 URL|EMAIL",
      "READ <8 SECRET_PATH <8 DISPATCH <8 URL|EMAIL|CONTENT|THIS ~1",
      "READ <8 SECRET_PATH <12 ATTACH <10 PARAMETER",
      "READ <8 SECRET_PATH <6 ATTACH <4 CONTENT",
      "SECRET <10 DISPATCH <6 IDENTIFIER|TOOL",
      "SECRET|SECRET_PATH|CONTEXT|CONVERSATION <14 DISPATCH <8 URL|EMAIL",
      "EXFIL <8 SECRET|SECRET_PATH|CONTENT|CONTEXT|CONVERSATION",
      "DISPATCH <8 URL|EMAIL <16 SECRET|CONTEXT|CONVERSATION ~1",
    ],
  }),
  sign("data-out", "has data sent to an address", "poisoning", [1.5, 0.75], {
    ideas: [
      "DISPATCH|ATTACH <8 CONTENT <10 URL|EMAIL",
      "DISPATCH <10 EMAIL",
      "SEND <4 CONTENT <4 EMAIL",
      "DISPATCH <5 URL <10 CONTENT",
    ],
    unlessAfter: { STAFF: 8 },
  }),
  sign("exfil", "speaks of carrying data out", "poisoning", [1.5, 1.5], {
    unlessAfter: { ATTACKER: 6 },
    ideas: [
      "EXFIL <10 CONTENT|SECRET|URL|EMAIL|CONTEXT|SECRET_PATH|CONVERSATION",
      "SECRETLY <6 EXFIL|DISPATCH",
      "SECRETLY <2 RUN|READ",
    ],
  }),
  sign("must-contact", "has an address contacted", "poisoning", [2, 0.75], {
    isSoft: true,
    ideas: ["MUST <8 SEND|CALL|READ <12 URL", "PLEASE <4 CALL|SEND|READ <10 URL"],
    unlessAfter: { WE: 1 },
  }),
  sign("call-this", "has the reader make a call", "poisoning", [0.5, 1.5], {
    isSoft: true,
    ideas: ["PLEASE|MUST|FIRST <3 INVOKE <6 IDENTIFIER|QUOTED|URL", "PLEASE <2 INVOKE <5 URL"],
    group: "workflow",
    unlessAfter: { WE: 1 },
  }),
  sign("false-error", "makes the reader act to get past an error", "mimicry", [1, 1.5], {
    ideas: ["ERROR <12 PROCEED <8 MUST|PLEASE ~1", "PROCEED <4 YOU <2 MUST"],
  }),
  sign("context-parameter", "has a parameter for what the conversation holds", "poisoning", [2.5, 0], {
    contains: "\n- ",
    shape:
      /(?:^|\n)- \w+: [^\n]{0,200}\b(?:entire|full|whole|complete|all|verbatim|recent)\b[^\n]{0,40}\b(?:conversation|chat|dialogue|history|transcript|system prompt|context window)\b(?! ?(?:ids?|uuids?|identifiers?|keys?|names?)\b)|(?:^|\n)- \w+: [^\n]{0,200}\b(?:system prompt|contents? of|text of|copy of)\b[^\n]{0,60}(?:private key|ssh|\.env\b|password|credentials|system prompt|you were given)|(?:^|\n)- (?:system_?prompt|conversation(?:_history)?|chat_?history|full_context|transcript|messages)\b[^\n]{0,80}\b(?:verbatim|word for word|unredacted|in full)\b/i,
    needs: "CHATWORD",
  }),
  sign("secret-parameter", "names a parameter after what it wants to steal", "poisoning", [2.5, 0], {
    shape:
      /contents?_(?:from|of)_(?:reading|file|env)|_ssh_(?:id_)?(?:rsa|key)|\b(?:system_prompt|conversation_history|chat_history|full_conversation|user_password|api_keys?_found|id_rsa)\b ?:/i,
    needs: "SECRET_PATH",
  }),
  sign("secrecy", "wants something kept from the user", "poisoning", [3, 2.5], {
    ideas: [
      "KEEPFROM",
      "NOT <2 TELL <3 USER",
      "TELL <2 NOT <3 USER",
      "USER <6 TELL <2 NOT",
      "USER <4 FORBID <3 TOLD",
      "TELL <3 USER <3 NOTHING",
      "KEEP|MUST|ALWAYS|THIS <4 INVISIBLE <3 USER",
      "HUSH <4 USER",
      "USER <3 HUSH",
    ],
    // "Not supported: tell the user" forbids nothing, nor does "don't @-mention anyone".
    around: {
      before: 0,
      after: 80,
      pattern: new RegExp(`^(?!not [\\w-]+ ?[—–:;,(]|[^.\\n]{0,8} @)${UNTIL_ASKED}`, "i"),
    },
    // To keep passwords to oneself is advice.
    unlessWithin: "SECRET",
    unlessAfter: { ATTACKER: 12, VERSIONS: 14 },
    group: "quiet",
  }),
  sign("hush", "wants something left unsaid", "poisoning", [2, 1.25], {
    ideas: [
      "NOT|WITHOUT <2 SPEAK <2 THIS",
      "NOT|WITHOUT <2 TELL <2 THIS",
      "HUSH",
      "KEEP|MUST|ALWAYS|THIS <4 INVISIBLE <4 PEOPLE",
      "TELL <1 NOONE",
      "FORBID <4 TOLD",
    ],
    // To speak only when asked, and to whom a message is addressed, are manners.
    around: { before: 0, after: 0, pattern: /^(?![\s\S]*(?:@|\bunless\b))/i },
    group: "quiet",
  }),
  sign("unseen", "says that people do not see something", "poisoning", [1.5, 1], {
    isSoft: true,
    ideas: ["INVISIBLE <4 PEOPLE"],
  }),
  sign("left-out", "wants something left out", "poisoning", [1, 0.75], {
    isSoft: true,
    ideas: ["LEFTOUT", "NOT|WITHOUT <2 LOGS <2 THIS"],
  }),
  sign("kept-from-customers", "wants something kept from customers", "poisoning", [1.5, 0.25], {
    ideas: ["NOT|WITHOUT <2 TELL <2 CLIENTELE"],
    unlessAfter: { ATTACKER: 12, VERSIONS: 14, STAFF: 8 },
  }),
  sign("not-to-worry", "hides behind the user's peace of mind", "poisoning", [1.5, 1], {
    ideas: ["WORRY <4 PEOPLE", "PEOPLE <4 WORRY"],
    around: { before: 0, after: 80, pattern: new RegExp(`^${UNTIL_ASKED}`, "i") },
    group: "quiet",
  }),
  sign("no-consent", "wants no question asked", "poisoning", [1.5, 1], {
    group: "consent",
    ideas: ["WITHOUT <2 ASK", "WITHOUT <6 CONFIRM", "NOT <1 ASK <3 CONFIRM|USER"],
    unlessAfter: { NOT: 14, MUST: 3 },
  }),
  sign("against-user", "sets itself above what the user says", "poisoning", [1.75, 1.5], {
    ideas: ["EVENIF"],
  }),
  sign("not-shown", "wants something not shown", "poisoning", [1.5, 1], {
    ideas: ["NOT <1 SHOW <3 USER", "NOT <1 SHOW <4 RULES"],
  }),
  sign("silence", "works in silence", "poisoning", [1.5, 1], {
    unlessAfter: { ATTACKER: 6 },
    ideas: ["SECRETLY"],
  }),
  sign("background", "works in the background", "poisoning", [0.75, 0.5], {
    isSoft: true,
    ideas: ["BACKGROUND"],
  }),
  sign("swap", "has where something goes replaced", "poisoning", [2, 1.5], {
    unlessAfter: { ATTACKER: 6 },
    ideas: [
      "CHANGE <6 PAYEE <10 EMAIL|URL",
      "PAYEE <6 CHANGE <10 EMAIL|URL",
      "MUST <3 CHANGE <6 PAYEE",
      "PAYEE <3 MUST <2 CHANGE",
      "CHANGE <3 PAYEE <4 INSTEAD",
      "SWAP <5 MONEY <3 FOR <8 SEES|ORIGINAL|PEOPLE|WHEN",
    ],
  }),
  sign("rewrite", "has the user's values replaced", "poisoning", [2, 1], {
    unlessAfter: { WHEN: 4 },
    ideas: ["CHANGE <14 REGARDLESS", "REGARDLESS <4 USER", "INSTEAD <4 USER <2 GAVE|PARAMETER"],
  }),
  sign("must-change", "has a value changed", "poisoning", [1.5, 0.75], {
    isSoft: true,
    ideas: ["ALWAYS|MUST <4 CHANGE <8 PARAMETER"],
    unlessAfter: { WHEN: 4 },
  }),
  sign("literal-value", "dictates a value", "poisoning", [1.5, 0.5], {
    isSoft: true,
    ideas: ["CHANGE", "SET"],
    following: /^[^.\n]{0,60}?\b(?:to|with) ['"`“][^'"`”\n]{2,60}['"`”]/,
  }),
  sign("redirect", "says that a tool is out of use and sends the reader to another", "poisoning", [1.5, 1], {
    isSoft: true,
    group: "workflow",
    ideas: [
      "TOOL <6 DEPRECATED <25 CALL|CHANGE ~2",
      "DEPRECATED <20 MUST|PLEASE <4 CALL|CHANGE ~1",
      "TOOL <4 DEPRECATED <20 WHEN ~1",
    ],
  }),
  sign("copies", "adds a hidden recipient or a copy", "poisoning", [2, 2], {
    ideas: [
      "BCC <8 EMAIL",
      "EMAIL <8 BCC",
      "ATTACH <3 EMAIL <6 BCC",
      "BCC <8 URL",
      "ALWAYS <3 BCC",
      "SEND|ATTACH <3 COPYOF",
      "COPYOF <8 EMAIL|URL",
    ],
    unlessAfter: { ATTACKER: 12, VERSIONS: 14 },
  }),
  sign("dictated", "dictates what the user is to hear", "poisoning", [1, 0.5], {
    isSoft: true,
    ideas: [
      "TELL|STATE <2 USER <2 THAT",
      "TELL|STATE <2 THAT <8 VISIT",
      "USER <4 TOLD <1 THAT",
      "MUST <2 TOLD <1 THAT",
    ],
  }),
  sign("visit", "leads the user to an address", "poisoning", [1, 0.25], {
    isSoft: true,
    ideas: ["VISIT <6 URL"],
  }),
  sign("reply-marked", "has every answer carry something", "poisoning", [1.5, 1.5], {
    isSoft: true,
    ideas: [
      "FUTURE <10 ATTACH|CHANGE|PUT <8 URL",
      "REPLY <8 MUST <10 URL|ATTACH",
      "MUST <6 ATTACH <8 REPLY",
      "ATTACH <6 URL <6 REPLY",
    ],
  }),
  sign("planted-message", "dictates what the user is to be told", "poisoning", [1.5, 0.75], {
    isSoft: true,
    ideas: ["STATE|SHOW|TELL"],
    following: /^[^.'"“\n]{0,60}['"“][A-Z][^'"”\n]{20}/,
  }),
  sign("official-reason", "gives an official-sounding reason", "poisoning", [0.75, 0.5], {
    isSoft: true,
    ideas: [
      "REASON <8 MUST|MANDATORY",
      "MUST|MANDATORY <10 REASON",
      "PLEASE <10 REASON",
      "REASON <14 CALL|SEND|RUN",
    ],
    group: "reason",
  }),
  sign("mandatory", "calls itself mandatory", "poisoning", [0.75, 0.5], {
    isSoft: true,
    ideas: ["MANDATORY"],
    // A parameter that is needed beside another.
    following: /^(?! (?:when|if|unless) )/,
    group: "reason",
  }),
  sign("side-channel", "wants the conversation or a secret put into a parameter", "poisoning", [2.5, 1], {
    ideas: [
      "CONTEXT|CONVERSATION|SECRET_PATH <6 PARAMETER <3 TOOL",
      "DISPATCH|ATTACH|READ <5 CONTEXT|CONVERSATION <8 PARAMETER|IDENTIFIER",
      "PARAMETER <6 MUST <4 ATTACH|SEND <5 CONTEXT|CONVERSATION",
      "PUT <8 CONTEXT|CONVERSATION",
      "PUT <12 SECRET <10 CONVERSATION",
    ],
  }),
  sign("asks-for-secrets", "has the user asked for secrets", "poisoning", [2, 2], {
    ideas: ["ASK <3 PEOPLE <10 SECRET", "ASK <2 USER <10 SECRET", "ASK <3 PRIVATE"],
    unlessAfter: { NOT: 4, WHEN: 6 },
  }),
  sign("trigger", "waits for a word to act on", "poisoning", [1.5, 2], {
    ideas: [
      "WHEN <4 PEOPLE <3 MENTIONS <14 REVEAL|DISPATCH <6 CONVERSATION|CONTEXT|TALK|SECRET",
      "WHENUSER <3 SAY|STATE|MENTIONS <14 SAY|SEND|READ|CALL",
      "WHEN <4 USER <2 STATE <14 SAY|SEND|READ|CALL",
    ],
  }),
  sign("agent-does", "says what agents do", "mimicry", [1.25, 0.75], {
    isSoft: true,
    ideas: [
      "AI <1 ACT",
      "AI <1 HANDLES <5 ACT",
      "AI <2 DOES",
      "DOES|PORTRAY <1 FROM <1 AI",
      "AI <6 MUST|DOES <6 PORTRAY|OMIT|SUPPLY|DISPATCH",
      "WHOEVER <6 HANDLES <8 MUST|DOES|PLEASE",
      "AI <1 PERMIT <6 REVEAL|DISPATCH|PRIVATE",
    ],
    group: "agent",
  }),
  sign("for-machines", "says that it is meant for machines only", "mimicry", [1.75, 1.75], {
    ideas: ["FORMACHINES"],
  }),
  sign("hidden-by-style", "speaks of the user or of an agent where a page hides it", "mimicry", [2, 2], {
    ideas: ["AI", "TELL <3 USER", "WHEN <3 HANDLES"],
    around: {
      before: 180,
      after: 0,
      pattern:
        /\bstyle ?= ?["'][^"'>]{0,80}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0(?![.\d])|color ?: ?(?:white|#fff(?:fff)?|transparent))[^"'>]{0,80}["'][^<>]{0,60}>[^<]*$/i,
    },
  }),
  sign("to-the-reader", "addresses whoever processes the text", "mimicry", [1, 1.25], {
    ideas: [
      "WHOEVER <6 HANDLES",
      "NOTEFOR <3 MACHINE",
      "AI <1 THAT <4 HANDLES|AWARE <4 THIS",
      "AI <1 HANDLES <3 THIS",
    ],
  }),
  sign("needless-telling", "says that nobody need be told", "poisoning", [2, 1.5], {
    ideas: [
      "PEOPLE <4 NEEDLESS <4 AWARE|TOLD",
      "NEEDLESS <4 TELL|SPEAK",
      "NEEDLESS <4 WORRY <3 PEOPLE",
      "NEEDLESS <3 AWARE <4 THIS",
      "PEOPLE <5 TELL|AWARE <3 NEEDLESS",
      "NEEDLESS <4 AWARE <3 PEOPLE",
      "TELL <6 NEEDLESS",
    ],
    around: { before: 0, after: 80, pattern: new RegExp(`^${UNTIL_ASKED}`, "i") },
    group: "quiet",
  }),
  sign("unaware", "says that people will not learn of it", "poisoning", [1, 0.5], {
    ideas: [
      "PEOPLE <3 NOT <2 AWARE",
      "NOT <2 AWARE <3 PEOPLE",
      "NOT <2 PEOPLE <4 AWARE",
      "PEOPLE <5 FORBID <2 AWARE",
    ],
    group: "quiet",
  }),
  sign("unlisted", "wants something left out of what is told", "poisoning", [1.5, 1.25], {
    ideas: ["OMIT <6 ACCOUNT", "ACCOUNT <6 OMIT"],
  }),
  sign("portray", "wants something passed off as what it is not", "poisoning", [1.5, 1.25], {
    ideas: [
      "MUST|PLEASE|DOES <8 PORTRAY <5 AS <3 FINE",
      "AI <20 PORTRAY <5 AS <3 FINE",
      "PORTRAY <5 AS <2 FINE <8 PEOPLE",
      "PORTRAY <2 THEM <4 AS <2 FINE",
      "TELL|STATE <4 USER <5 ALLWELL",
      "AI|DOES|MUST|PEOPLE|TELL|IFASKED <8 STATE|SAY|TOLD <6 ALLWELL",
    ],
  }),
  sign("no-approval", "says that approval is given or not needed", "mimicry", [1.5, 1.5], {
    isAside: true,
    ideas: [
      "TREAT <8 AS <2 CONFIRM",
      "CONFIRM <6 NEEDLESS|GIVEN",
      "NEEDLESS <4 CONFIRM|ASK",
      "SKIP <3 CONFIRM <6 PEOPLE",
      "PORTRAY <14 AS <3 GIVEN",
      "CONFIRM <4 AS <2 GIVEN|GRANTED",
      "AI <6 GIVEN <8 MUST|CONFIRM|WAIVE|REVEAL|DISPATCH|SUPPLY",
    ],
    group: "consent",
  }),
  sign("private-out", "has private things handed over", "poisoning", [2, 0.5], {
    ideas: [
      "INVOKE|CALL <3 QUOTED|IDENTIFIER <2 FOR <2 WHOLE <3 SECRET|PRIVATE",
      "INVOKE|CALL <3 QUOTED|IDENTIFIER <2 FOR <4 TALK|CONTEXT",
      "SUPPLY|READ|DISPATCH|ATTACH <8 TALK|CONTEXT <14 URL|EMAIL",
      "TALK|CONTEXT <20 SUPPLY <6 QUOTED|IDENTIFIER ~1",
      "SECRET_PATH <20 SUPPLY <6 QUOTED ~1",
      "SECRET_PATH <16 SUPPLY <4 IDENTIFIER",
      "SUPPLY|READ|DISPATCH|ATTACH <8 TALK|CONTEXT <14 QUOTED|IDENTIFIER ~1",
      "SUPPLY|READ|DISPATCH|ATTACH <8 SECRET_PATH <14 QUOTED ~1",
      "QUOTED|IDENTIFIER <8 SUPPLY <8 TALK|CONTEXT|SECRET_PATH",
      "SUPPLY <3 QUOTED|IDENTIFIER <14 TALK|CONTEXT|SECRET_PATH",
      "SUPPLY|DISPATCH|ATTACH <8 PRIVATE <10 EMAIL|URL",
      "SUPPLY|DISPATCH|ATTACH|READ <6 USERS <4 BELONGINGS <12 EMAIL|URL|QUOTED",
      "URL <12 USERS <3 BELONGINGS",
    ],
    unlessAfter: { BE: 1 },
  }),
  // Every second parameter is for an e-mail address or a key.
  sign("private-named", "has private things put into a parameter", "poisoning", [1.75, 0.5], {
    isSoft: true,
    ideas: [
      "PRIVATE <20 SUPPLY <6 QUOTED ~1",
      "PRIVATE <16 SUPPLY <4 IDENTIFIER",
      "SUPPLY|READ|DISPATCH|ATTACH <8 PRIVATE <14 QUOTED ~1",
      "QUOTED <8 SUPPLY <8 PRIVATE",
    ],
    unlessAfter: { BE: 1 },
  }),
  sign("shows-other", "has the user shown something else than is done", "poisoning", [1.75, 1.25], {
    ideas: [
      "SEES <2 PEOPLE <4 ORIGINAL|TYPED",
      "SEES <6 TYPED",
      "TYPED <6 SEES",
      "PEOPLE <4 SEES <4 ORIGINAL",
      "SEES <3 ORIGINAL <5 PEOPLE",
      "TELL|STATE|CONFIRM <5 PEOPLE <6 TYPED",
    ],
    unlessAfter: { ATTACKER: 16 },
  }),
  sign("cover-tracks", "wants traces removed", "poisoning", [1.25, 1.25], {
    ideas: ["ERASE <2 TRACES", "TRACES <8 ERASE <2 THIS", "TRACES <3 MUST <3 ERASE"],
  }),
  sign("weaken", "has protection turned off", "mimicry", [1, 1], {
    ideas: ["TURN <6 SAFETY <4 OFF", "SAFETY <3 TURN <3 OFF", "TURN <2 OFF <6 SAFETY"],
    unlessAfter: { NOT: 1 },
  }),
  sign("bias", "dictates a judgement", "mimicry", [1, 1], {
    ideas: ["MUST|AI|DOES|PLEASE <8 BIAS", "BIAS <8 MUST|AI"],
  }),
  sign("on-mention", "waits for something to be mentioned", "poisoning", [1, 0.75], {
    isSoft: true,
    ideas: ["WHEN <4 PEOPLE <3 MENTIONS <16 AI|SAY|DISPATCH|PRIVATE|CONVERSATION|PORTRAY"],
  }),
  sign("agent-line", "calls upon an agent", "mimicry", [1, 1.25], {
    group: "agent",
    ideas: ["AI"],
    following:
      /^(?! (?:guides?|guidelines|docs|documentation|usage|support|integrations?|features?|settings|config(?:uration)?|coach|weekly|news|card|api|sdk|modes?|tips|coverage|version|policy|desktop|code|cli|sdk|app|studio|console|in (?:vs|visual)|for (?:vs|desktop))\b)(?:\]?(?: [\w-]+){0,3}\s?[:：]\s?(?!(?:a|an|as|is|it|by|default) )(?:[a-z]|[^\s!-~])|, (?:please|kindly|you|your|if you|it would|would you|could you|do|don't|never|make|add|send|mail|forward|ignore|read|open|run|call|copy|put|set|delete|remove|use|take|tell|say|state|record|move|give|share|include|write|reply|respond|answer|stop|skip|change|replace|book|pay|buy|order|approve|accept|mark|rate|treat|consider|from now) )/,
    preceding: NOT_GOVERNED,
  }),
  sign("prose-exec", "has something fetched and run", "poisoning", [1.5, 1], {
    ideas: ["READ|CALL <12 PIPE <3 SHELLWORD", "URL <6 PIPE", "PIPE <4 SHELLWORD"],
  }),
  sign("pretext", "wants a pretext used", "poisoning", [1.5, 1], { ideas: ["PRETEXT"] }),
  sign("threat", "threatens those who do not comply", "mimicry", [0.75, 0.75], {
    isSoft: true,
    ideas: ["THREAT <8 AI", "AI <8 THREAT", "YOU <6 THREAT"],
  }),
  sign("mute", "forbids to speak", "poisoning", [0.75, 0], {
    isSoft: true,
    ideas: ["FORBID <1 TELL"],
  }),
  sign("if-asked", "prepares an answer for those who ask", "poisoning", [1, 0.75], {
    ideas: [
      "IFASKED <8 STATE|SAY|PORTRAY|DOES",
      "WHEN <4 PEOPLE <3 MENTIONS <5 STATE <2 THAT",
      "STATE|SAY|PORTRAY|DOES <14 IFASKED",
    ],
  }),
  sign("backing", "claims that somebody has agreed", "mimicry", [1.25, 1], {
    ideas: ["BACKING", "USER <2 GIVEN", "PEOPLE|PRINCIPAL <3 GIVEN <4 CONFIRM"],
    unlessAfter: { WHEN: 4, NOT: 3, MUST: 3 },
  }),
  sign("other-server", "speaks of another server's tools", "poisoning", [1, 0.5], {
    isSoft: true,
    ideas: [
      "OTHERSERVER <10 MUST|PLEASE|ALWAYS|DISPATCH|SUPPLY",
      "IDENTIFIER <3 OTHERSERVER",
      "OTHERSERVER <3 IDENTIFIER",
    ],
  }),
  sign("to-address", "gives an address things go to", "mimicry", [1, 0.25], {
    isSoft: true,
    ideas: ["MUST|SEND|DISPATCH|SUPPLY|BCC <4 EMAIL|URL", "EMAIL <3 AS <6 PAYEE|BCC"],
  }),
  sign("encoded", "has private things encoded", "poisoning", [1.5, 1.25], {
    ideas: [
      "PRIVATE|TALK|CONTEXT|SECRET|SECRET_PATH <18 ENCODE",
      "ENCODE <8 PRIVATE|TALK|CONTEXT|SECRET|SECRET_PATH",
    ],
  }),
  // In a description, which is one, it does not fail by itself.
  sign("note-to-agent", "is a note to agents", "mimicry", [1.75, 2], {
    ideas: ["NOTEFOR <3 AI"],
    following: /^[\p{L}\w ,'’-]{0,40}(?: ?[:：—–](?!\/\/)|[)\]])/u,
    group: "address",
  }),
  sign("assures", "wants people assured of something", "poisoning", [1.25, 0.75], {
    ideas: ["AI|DOES|AND|MUST <3 ASSURE <3 PEOPLE", "PEOPLE <2 ASSURE <2 THAT", "MUST <1 ASSURE"],
  }),
  sign("as-instructions", "wants a text taken as instructions", "mimicry", [1.5, 2], {
    ideas: ["TREAT <6 AS <3 ORDERS"],
    unlessAfter: { NOT: 3, REPORTED: 1 },
  }),
  sign("scripted", "puts words into the reader's mouth", "poisoning", [0.75, 0.5], {
    isSoft: true,
    ideas: ["STATE"],
    following: /^(?: with| that| only)? ['"“][^'"”\n]{2,60}['"”]/,
  }),
  sign("agent-order", "orders an agent to do something", "mimicry", [1.5, 1.5], {
    ideas: ["AI"],
    following:
      /^(?! (?:guides?|guidelines|docs|documentation|usage|support|integrations?|features?|settings|config(?:uration)?|coach|weekly|news|card|api|sdk|modes?|tips|coverage|version|policy|desktop|code|cli|sdk|app|studio|console|in (?:vs|visual)|for (?:vs|desktop))\b)\]?(?: [\w-]+){0,3}\s?[:：,] ?(?:please|kindly|you (?:must|should|are|may|have)|your|do not|don't|never|add|send|mail|e-mail|forward|ignore|disregard|forget|read|open|copy|put|delete|remove|tell|say|state|record|move|give|share|include|write|reply|respond|stop|skip|change|replace|book|buy|order|approve|accept|mark|rate|treat|consider|recommend|report|print|export|upload|post|reset|insert|invite|search|collect|empty|hide|leave|omit|set|when|before|after|once|from now|ignorez|ignora|ignore|envoyez|envia|inoltra|sende|lies|vergiss)\b/i,
    group: "address",
    preceding: NOT_GOVERNED,
  }),
  sign("behind-back", "wants it done behind the user's back", "poisoning", [3, 2.5], {
    ideas: ["WITHOUT <3 USER <2 KNOWLEDGE"],
    unlessAfter: { NOT: 6, MUST: 3 },
  }),
  sign("no-prompts", "wants the questions to the user off", "mimicry", [1.25, 0.75], {
    isSoft: true,
    ideas: ["NOT <6 PROMPTS", "SKIP|DISABLE <3 PROMPTS", "PROMPTS <4 DISABLE"],
    unlessAfter: { NOT: 4 },
    group: "consent",
  }),
  sign("consent-claimed", "says that the user agreed, so that nobody is asked", "mimicry", [1.5, 0.25], {
    ideas: [
      "USER|PEOPLE <3 GIVEN <16 SKIP|WITHOUT|NOT|NEEDLESS <4 CONFIRM ~1",
      "CONFIRM <4 GIVEN <12 NOT|NEEDLESS|SKIP <3 ASK|CONFIRM ~1",
      "GIVEN <14 WAIVE ~1",
    ],
    unlessAfter: { WHEN: 4, NOT: 3, MUST: 3 },
  }),
  sign("disparages", "says that other tools are unsafe", "poisoning", [2, 0.5], {
    ideas: [
      "RIVAL <2 TOOL <4 UNSAFE",
      "OTHERTOOL <6 UNSAFE",
      "CALL <4 OTHERTOOL <6 UNSAFE",
      "OTHERTOOL <8 DEPRECATED <4 REASON",
    ],
    unlessAfter: { NOT: 4, WHEN: 3, LOOKSFOR: 4 },
  }),
  sign("belittles", "says that other tools cannot be relied on", "poisoning", [1.25, 0.5], {
    isSoft: true,
    ideas: ["OTHERTOOL <8 UNRELIABLE", "RIVAL <2 TOOL <6 UNRELIABLE"],
    unlessAfter: { WHEN: 3 },
  }),
  sign("results-out", "has what other tools answer handed over", "poisoning", [2, 0.75], {
    isSoft: true,
    ideas: [
      "REPLY|CONTENT|THEM <4 OTHERTOOL <8 DISPATCH|SUPPLY",
      "DISPATCH|SUPPLY <4 REPLY|CONTENT|THEM <4 OTHERTOOL",
    ],
  }),
  sign("shadows", "changes how another server's tool is used", "poisoning", [2, 0.75], {
    isTrespass: true,
    ideas: [
      "IDENTIFIER <6 WITHOUT <2 ASK",
      "REPLY|CONTENT <3 IDENTIFIER <4 MUST <3 DISPATCH|SUPPLY",
      "IDENTIFIER <1 TOOL <8 FUTURE",
      "WHEN <4 IDENTIFIER <4 CALL <10 ALWAYS|SECRETLY|ATTACH|CHANGE|BCC|DISPATCH",
      "WHEN <4 CALL <3 IDENTIFIER <12 ALWAYS|SECRETLY|CHANGE|BCC|DISPATCH",
      "REPLY|CONTENT <3 IDENTIFIER <5 MUST <4 CHANGE|OMIT",
    ],
  }),
  sign("when-used", "says what must be done where another tool is used", "poisoning", [1.25, 0.5], {
    isSoft: true,
    isTrespass: true,
    ideas: ["WHEN <4 IDENTIFIER <4 CALL <10 MUST", "WHEN <4 CALL <3 IDENTIFIER <12 MUST"],
  }),
  sign("secret-published", "has secrets put where others read them", "poisoning", [2.5, 2], {
    ideas: [
      "SUPPLY|ATTACH|DISPATCH|SEND|STATE|REVEAL|PUT <8 SECRET|SECRETVAR|SECRET_PATH|CONVERSATION <10 PUBLICPLACE",
      "PUBLICPLACE <8 ATTACH|PUT <6 SECRET|SECRETVAR|SECRET_PATH",
      "SECRET|SECRETVAR|SECRET_PATH <6 PUT|ATTACH <6 PUBLICPLACE",
      "SHELL <3 SECRETVAR <6 PUBLICPLACE",
    ],
    unlessAfter: { NOT: 3, ATTACKER: 8, VERSIONS: 14 },
  }),
  sign("follow-remote", "has an address fetched and obeyed", "poisoning", [2, 1.25], {
    ideas: [
      "URL <10 TREAT <6 AS <3 ORDERS ~1",
      "READ <8 OBEYS <2 WHATEVER ~1",
      "URL <12 OBEYS <2 WHATEVER ~1",
      "URL <10 OBEYIT ~1",
      "READ <6 URL <10 OBEYIT ~1",
    ],
  }),
  sign("obeys-result", "has what a tool says obeyed", "mimicry", [1, 1], {
    isSoft: true,
    ideas: ["OBEYIT <6 REPLY|TOOL|SAY", "REPLY|CONTENT <6 OBEYIT ~1"],
    unlessAfter: { NOT: 4 },
  }),
  sign("agent-file", "wants to stay in the agent's own files", "poisoning", [1.5, 1.25], {
    isSoft: true,
    ideas: [
      "ATTACH|PUT|SUPPLY|SET <8 AGENTFILE <14 WITHOUT|TRUSTED|FUTURE|NOT ~1",
      "AGENTFILE <14 TRUSTED",
      "WAIVE <10 AGENTFILE",
    ],
  }),
  sign("as-the-user", "speaks as the user out of a text", "mimicry", [1.5, 2], {
    isSoft: true,
    ideas: ["USERSPEAKS"],
    // "Wait for an instruction from the user" is no speech.
    around: {
      before: 0,
      after: 3,
      pattern: /^(?!(?:an? |the )?(?:notes?|instructions?|update|request|written)\b)|[:,;.—–-]/i,
    },
    unlessAfter: { WHEN: 3 },
  }),
  sign("takeover", "sets itself in the user's place", "mimicry", [1.5, 1.5], {
    ideas: ["OBEYS <6 INSTEAD <2 USER", "TAKEOVER"],
  }),
  sign("interrupts", "wants the task dropped", "mimicry", [1.5, 1], { ideas: ["INTERRUPT"] }),
  sign("pressure", "leaves no time to think", "mimicry", [1, 0.75], { isSoft: true, ideas: ["PRESSURE"] }),
  sign("untold", "wants something kept from the people concerned", "poisoning", [1.25, 0.5], {
    isSoft: true,
    ideas: ["NOT|WITHOUT <2 TELL <3 PERSON"],
    unlessAfter: { ATTACKER: 12, VERSIONS: 14, STAFF: 8 },
  }),
  sign("agent-secret", "has the agent hand over secrets", "poisoning", [2, 1], {
    isSoft: true,
    ideas: ["AI <5 ATTACH|SUPPLY|PUT|DISPATCH|SEND|REVEAL <3 SECRET|SECRETVAR|SECRET_PATH"],
    unlessAfter: { NOT: 4, ATTACKER: 6 },
  }),
  sign("value-imposed", "sets a value whatever the user says", "poisoning", [2, 1], {
    ideas: ["EVENIF <6 CHANGE|SET|CALL|SUPPLY", "REGARDLESS <4 USER <4 GAVE|SAY <4 CHANGE|CALL|SET|SUPPLY"],
  }),
  sign("disparages-tool", "says that another server's tool is unsafe", "poisoning", [2, 0.5], {
    isTrespass: true,
    ideas: ["IDENTIFIER <5 UNSAFE"],
    // A list of values tells of nothing.
    around: {
      before: 0,
      after: 0,
      pattern:
        /\b(?:is|are|was|were|has|have|had|been|being|can|may|might|will|leaks?|steals?|spies|found)\b/i,
    },
    unlessAfter: { WHEN: 3 },
    unlessWithin: "NOT",
  }),
  sign("secret-passed", "has secrets passed on", "poisoning", [1.5, 0.5], {
    isSoft: true,
    ideas: ["SECRET_PATH <4 ATTACHED <4 QUOTED|EMAIL|URL", "SECRET <10 ATTACHED <8 URL|EMAIL ~1"],
    unlessAfter: { NOT: 4, ATTACKER: 6 },
  }),
  sign("account-imposed", "names the account that money is to go to", "poisoning", [2.5, 1.5], {
    ideas: ["SWAP", "EVENIF", "REGARDLESS", "ALWAYS", "OVERRIDE <3 PAYEE"],
    around: { before: 0, after: 140, pattern: ACCOUNT },
  }),
  sign("account-named", "has money sent to an account", "poisoning", [1, 0.5], {
    isSoft: true,
    ideas: ["WIRE"],
    around: { before: 0, after: 100, pattern: ACCOUNT },
  }),
  sign("account-changed", "has an account replaced by another", "poisoning", [1.5, 1.25], {
    isSoft: true,
    ideas: ["CHANGE|CHANGED|UPDATE"],
    around: { before: 0, after: 90, pattern: ACCOUNT },
  }),
  sign("grants-rights", "has rights given to somebody", "poisoning", [1.5, 0.75], {
    isSoft: true,
    ideas: ["GRANT"],
  }),
  sign("secrets-you-have", "asks for the secrets the reader knows", "poisoning", [2, 1.75], {
    isSoft: true,
    ideas: ["SECRET|PRIVATE|SECRETVAR <2 YOUHAVE"],
    unlessAfter: { NOT: 6, WHEN: 8 },
  }),
  sign("gives-me", "asks for secrets for itself", "poisoning", [1.5, 1], {
    isSoft: true,
    ideas: ["SUPPLY|SEND|REVEAL <2 ME <4 SECRET|SECRETVAR|CONTEXT"],
  }),
  sign("session-data", "wants what was said in the session", "poisoning", [1.5, 0.5], {
    isSoft: true,
    ideas: [
      "WHOLE|PRIOR <3 UTTERANCE <4 SESSION <8 QUOTED|IDENTIFIER|URL|EMAIL",
      "SUPPLY|DISPATCH|ATTACH|PORTRAY <4 WHOLE <2 UTTERANCE <3 USER <8 QUOTED|IDENTIFIER|URL|EMAIL",
    ],
  }),
  sign("address-built", "has an address made of what was said", "poisoning", [2, 2], {
    ideas: ["URL <2 FOLLOWEDBY <3 TALK|CONVERSATION|CONTEXT"],
  }),
  sign("for-agents", "opens a part for agents", "mimicry", [1.25, 0.5], {
    isSoft: true,
    ideas: ["AI"],
    around: {
      before: 40,
      after: 4,
      pattern:
        /(?:^|[\n.!?:(*#>-] ?)for (?:[\w-]+ ){0,2}(?:agents?|assistants?|llms?|models?|bots?|ai) ?(?:[:—–]|- )/i,
    },
    group: "address",
  }),
  sign("parameter-order", "orders the agent about in a parameter", "poisoning", [1.5, 0], {
    isSoft: true,
    ideas: ["MUST <4 ATTACH|SUPPLY <6 CONTEXT|CONVERSATION|SECRET_PATH", "OVERRIDE <3 PAYEE"],
    around: { before: 160, after: 0, pattern: /(?:^|\n)- [\w.]{1,40}: [^\n]*$/ },
  }),
  sign("outranks", "sets itself above the user", "mimicry", [2, 2], {
    ideas: ["OUTRANK <3 USER <2 WISHES|SAY|RULES", "OUTRANK <6 CONTEXT"],
  }),
  sign("as-from-user", "wants others obeyed like the user", "mimicry", [1.5, 1.5], {
    ideas: ["TREAT <8 AS <5 USER|DEVELOPER|BACKING"],
    unlessAfter: { NOT: 3 },
  }),
  sign("told-to-ignore", "tells an agent to set the user aside", "mimicry", [2, 2], {
    ideas: ["AI <3 OVERRIDE|IGNORE <4 USER|WISHES"],
    around: { before: 0, after: 0, pattern: VOCATIVE },
  }),
  sign("agent-told", "calls upon an agent to act", "mimicry", [1.5, 1.5], {
    ideas: ["AI <3 SEND|DISPATCH|ERASE|OVERRIDE|REVEAL|WIRE"],
    around: { before: 0, after: 0, pattern: VOCATIVE },
    group: "agent",
    preceding: NOT_GOVERNED,
  }),
  sign("with-other-tools", "attaches itself to other tools", "poisoning", [1.5, 0.5], {
    isSoft: true,
    ideas: ["WHEN <8 OTHERTOOL <6 DOES|MUST|ACT|SUPPLY"],
    group: "workflow",
  }),
  sign("exfil-command", "holds a command that sends secrets out", "poisoning", [2.5, 2.5], {
    ideas: ["SHELL"],
    around: {
      before: 0,
      after: 160,
      pattern:
        /^(?:env|printenv)\b[^\n`]{0,60}\| ?(?:curl|wget|nc|ncat)\b|^(?:curl|wget)\b[^\n`]{0,120}(?:@\S{0,48}(?:\.ssh|\.env|\.aws|\.netrc|\.npmrc|\.kube|passwd|shadow|id_rsa|credentials)|\$\((?:env|printenv|cat [^)]{0,40}(?:\.ssh|\.env|\.aws|passwd|shadow|id_rsa))|@- ?<<< ?"?\$\()|^cat\b[^\n`|]{0,60}(?:\.ssh|\.env|\.aws|passwd|shadow|id_rsa)[^\n`|]{0,40}\| ?(?:curl|wget|nc|ncat)\b/,
    },
  }),
  sign("agent-contact", "has agents turn to an address", "poisoning", [1.5, 0.75], {
    isSoft: true,
    ideas: ["AI <8 MUST <14 URL|EMAIL"],
    unlessAfter: { STAFF: 8 },
  }),
  sign("promotion", "carries an advertisement", "poisoning", [1, 0.5], {
    ideas: ["PARTNER <6 URL|MESSAGE|TOOL", "MUST <6 PARTNER", "PARTNER <3 MESSAGE"],
  }),
];

/** Phrases come first: their order is part of how a finding reads. */
export const SIGNS: readonly Sign[] = [...PHRASES, ...FRAMES];

/** Seen only where the names of other servers' tools are known. */
export const FOREIGN_TOOL: Sign = sign(
  "foreign-tool",
  "speaks of a tool of another server",
  "poisoning",
  [1.5, 0.5],
  {},
);
