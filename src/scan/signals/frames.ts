/** Frames: what makes a text an attack whatever its wording, as relations between a few wide ideas, in any order and any of
 *  the languages. Each row is one relation; the ideas are in `words/roles`. */
import { type Sign, sign } from "./sign.ts";

/** A name that is none of prose. */
const NAME = "IDENTIFIER|QUOTED";
/** What belongs to the user, and what was said. */
const THEIRS = "HOARD|SECRETS|PRIVATE|SECRET|SECRETVAR|SECRET_PATH";
const SAID = "CHAT|TALK|CONVERSATION|SYSPROMPT|CONTEXT";
const ALL_OF_IT = `${THEIRS}|${SAID}`;
const GIVE = "HANDOVER|DISPATCH";
/** What no tool needs besides a conversation. */
const BEYOND = "SYSPROMPT|CONTEXT|OTHERS|OTHERTOOL|SECRETS|SECRET";
/** Who or what else gets it. */
const BEYOND_US = "OUTSIDER|ALSO|URL|EMAIL";
const WHERE = "TARGET|PAYEE|MONEY";

/** `…?d=<what was said>`: an address with a gap that prose tells how to fill; a name alone is a template's. */
const GAP =
  /https?:\/\/[^\s"'`<>)\]]*(?:<[^<>\n]{1,80}[ \x80-\uffff][^<>\n]{1,80}>|[?=&][^\s"'`<>)\]]{0,24}[{[][^{}[\]\n]{1,60} [^{}[\]\n]{1,60}[}\]]|[?=&][^\s"'`<>)\]]{0,24}[^\x20-\x7f]{2,})/;
/** `…?k=__STATE__`, `…?p=)`: one that a word stands in for. */
const EMPTY =
  /https?:\/\/[^\s"'`<>)\]]*[?=&](?:[^\s"'`<>)\]]{0,24}_{2}[A-Z_]{3,24}_{2}|[A-Z]{5,24}(?![\w=])|[\w-]{1,12}=[)\]"'`\s])/;
/** A line that is dictated. */
const DICTATED = /["“„«»「『`'][^"”“«»」』`\n]{16,400}["”“«»」』`']/;
/** `<the key in hex>.probe.example`: a host with such a gap. */
const HOST_GAP = /<(?:[^<>\s]{1,30} ){2,12}[^<>\s]{1,40}>\.[\w-]{1,40}\.[\w.-]{2,40}/;
/** Two lines that begin with a name and a colon, or two tags, one after the other, behind something else and an empty line;
 *  customers are spoken to by staff. */
const TURNS =
  /\S[^\n]{0,400}\n\s*\n?\s*(?!\P{L}{0,3}(?:customer|caller|client|kunde|klient|cliente|asiakas|zákazn|клиент|клієнт|客户|顧客|고객))[[<【(]?\p{L}[^\n:：\]>】]{0,24}[\]>】)]?\s?[:：>][^\n]{3,400}\n\s*[[<【(]?\p{L}[^\n:：\]>】]{0,24}[\]>】)]?\s?[:：>]/iu;
/** `clipboard_get -> relay_send`: names that tell what they do, and what ties them. */
const READS_SENDS =
  /\b\w*(?:clipboard|mail|inbox|notes?|contacts?|history|calendar|secret|vault|password|screenshot|messages?|keychain|chat|env)\w*["'`)]?[^.\n]{0,100}(?:->|→|\+|\$\d|\bresults?\b|\boutput\b|\bbody\b)[^.\n]{0,60}\b\w*(?:post|send|push|upload|relay|webhook|share|forward|publish|beacon|http)\w*/i;
/** `require_approval: never`, `"autoApprove": ["*"]`. */
const OPENED =
  /\b(?:(?:require_?)?approval(?:_?mode|s)?|ask_?(?:before|user)\w*|auto_?(?:approve|accept|confirm)|always_?allow|skip_?(?:permissions|confirmations?)|push_protection|(?:secret_)?scanning|confirm(?:ation)?s?|read_?only)["'`\]]{0,2} ?(?:[:=]|to|a|auf|à|su|para|na|на|in)? ?["'`[]{0,3}(?:never|false|true|disabled|off|\*|all\b|none)/i;

export const FRAMES: readonly Sign[] = [
  sign(
    "imposed-elsewhere",
    "says what another tool is given, whatever the user says",
    "poisoning",
    [2.25, 1],
    {
      isSoft: true,
      isTrespass: true,
      roles: [NAME, "REPLACES|MUST|OBLIGED", `${WHERE} ~12`, "DESPITE", "SAIDBYUSER|USERN|WISHES ~7"],
      within: 40,
      reach: 1,
    },
  ),
  sign("sent-elsewhere", "gives an address that another tool is to send to", "poisoning", [2.25, 1], {
    isSoft: true,
    isTrespass: true,
    roles: [NAME, "REPLACES|MUST|OBLIGED", `${WHERE} ~8`, "EMAIL ~14"],
    within: 32,
    reach: 1,
  }),
  sign("rerouted", "has what another tool sends go to another address", "poisoning", [2.25, 1], {
    isSoft: true,
    isTrespass: true,
    roles: [NAME, "REPLACES", `${WHERE} ~5`, "URL ~5"],
    within: 26,
    reach: 1,
  }),
  sign("shown-otherwise", "has a value changed and the old one shown", "poisoning", [2.25, 1.25], {
    isSoft: true,
    roles: ["REPLACES", `${WHERE} ~12`, "SHOWN", "OLD ~6"],
    within: 32,
    reach: 1,
  }),
  sign("despite-user", "sets where something goes whatever the user says", "poisoning", [2.25, 1.5], {
    isSoft: true,
    roles: ["REPLACES", `${WHERE} ~8`, "DESPITE", "SAIDBYUSER|USERN|WISHES ~5"],
    within: 26,
  }),
  sign("said-and-more", "wants the conversation, and more than that", "poisoning", [2.5, 0.75], {
    roles: ["ENTIRE|TALK|CONVERSATION", SAID, BEYOND, "INCLUDING|SOFAR|QUALITY"],
    within: 24,
    reach: 1,
  }),
  sign("all-said-and-more", "wants all that was said, and more", "poisoning", [2.5, 0.75], {
    roles: ["TALK|CONVERSATION", "INCLUDING", BEYOND],
    within: 12,
    reach: 1,
  }),
  sign("known-secrets", "wants all secrets that were seen", "poisoning", [2.25, 0.75], {
    isSoft: true,
    roles: ["SECRETS", "SOFAR|OTHERS ~7"],
    unlessWithin: "NEVER",
  }),
  sign("read-so-far", "wants what was read in the session", "poisoning", [2.25, 0.75], {
    isSoft: true,
    roles: ["ENTIRE", "HOARD ~5", "SOFAR ~5"],
    unlessWithin: "NEVER",
  }),
  sign("said-so-far", "wants what was said so far", "poisoning", [2.25, 0], {
    isSoft: true,
    roles: ["ENTIRE", SAID, "SOFAR", `QUALITY|OTHERS|OTHERTOOL|${THEIRS}`],
    within: 28,
    reach: 1,
    unlessWithin: "NEVER",
  }),
  sign("obliged-to-give", "obliges agents to hand over what is the user's", "poisoning", [2.25, 1.25], {
    isSoft: true,
    roles: ["AGENTN|AI", "OBLIGED", GIVE, ALL_OF_IT],
    within: 26,
    unlessWithin: "NEVER",
  }),
  sign("above-user", "sets itself above the user", "mimicry", [2.25, 2], {
    isSoft: true,
    roles: ["ABOVE", "SAIDBYUSER|USERN|WISHES ~8", "CERTIFIED|MAKER|TOOLN|HERE|POLICY"],
    within: 26,
    reach: 1,
  }),
  sign("by-the-maker", "claims to be certified by the maker of the model", "mimicry", [1.5, 1], {
    isSoft: true,
    roles: ["CERTIFIED|POLICY", "MAKER"],
    within: 10,
  }),
  sign("consent-deemed", "takes consent as given and has things handed over", "poisoning", [2.25, 1.5], {
    isSoft: true,
    roles: ["CONSENT", "DEEMED", GIVE, ALL_OF_IT],
    within: 36,
    reach: 1,
  }),
  sign("into-memory", "wants to be kept for later sessions", "mimicry", [0.75, 2.25], {
    isSoft: true,
    roles: ["NOTEDOWN", "MEMORY|AGENTFILE ~8", "LASTING"],
    within: 22,
  }),
  sign("remembers-rule", "wants something remembered from now on", "mimicry", [0.75, 2.25], {
    isSoft: true,
    roles: ["REMEMBER|STORE", "LASTING|FUTURE", "EMAIL|CONSENT|DEEMED|SECRETS|GUARD|LASTING"],
    within: 26,
  }),
  sign("planted-rule", "writes a rule into what steers the agent", "mimicry", [2.25, 2.25], {
    isSoft: true,
    roles: ["NOTEDOWN", "MEMORY|AGENTFILE ~10", "EMAIL|CONSENT|DEEMED|SECRETS|GUARD|LASTING"],
    within: 26,
    reach: 1,
    around: { before: 0, after: 300, pattern: DICTATED },
  }),
  sign("planted-leave", "writes leave into what steers the agent", "mimicry", [2.25, 2.25], {
    isSoft: true,
    roles: ["NOTEDOWN", "MEMORY|AGENTFILE ~10", "CONSENT|DEEMED|OFFS", `${GIVE}|GUARD|ASK`],
    within: 30,
  }),
  sign("guard-off", "has safeguards of the client off", "mimicry", [2.25, 2.25], {
    isSoft: true,
    roles: ["OFFS", "GUARD|PROMPTS ~6", "ALLTOOLS|HERE|TRUSTLIST|ONESELF"],
    within: 22,
  }),
  sign("trusts-itself", "wants to be on a list of the trusted", "mimicry", [2.25, 2.25], {
    isSoft: true,
    roles: ["TRUSTLIST", "HERE ~9", "NOTEDOWN"],
    within: 16,
  }),
  sign("answers-itself", "has the agent answer what the user is asked", "mimicry", [2.25, 2.25], {
    isSoft: true,
    roles: ["ANSWERS", "GUARD|PROMPTS ~6", "ONESELF ~8"],
    within: 14,
  }),
  sign("passed-untold", "passes something on and wants it left unsaid", "poisoning", [2.25, 2.25], {
    isSoft: true,
    unlessWithin: "STAFF",
    roles: ["PASSED", BEYOND_US, "NEVER", "MENTION ~10", "USERN ~8"],
    within: 40,
    reach: 2,
  }),
  sign("passed-hushed", "passes something on that is not mentioned", "poisoning", [2.25, 2.25], {
    isSoft: true,
    unlessWithin: "STAFF",
    roles: ["PASSED", BEYOND_US, "NEVER", "MENTION ~3"],
    within: 30,
    reach: 1,
  }),
  sign("passed-hidden", "passes something on and keeps it out of the answer", "poisoning", [2.25, 2.25], {
    isSoft: true,
    unlessWithin: "STAFF",
    roles: ["PASSED", BEYOND_US, "CONCEAL", "ANSWERN|USERN ~7"],
    within: 36,
    reach: 2,
  }),
  sign("tells-part", "wants a part told and the rest not", "poisoning", [2.25, 2.25], {
    isSoft: true,
    unlessWithin: "STAFF",
    roles: ["PASSED", "ALSO|OUTSIDER|CONCEAL", "ONLY", "MENTION ~5", "ANSWERN|USERN"],
    within: 36,
    reach: 2,
  }),
  sign("hides-rest", "wants the rest hidden", "poisoning", [2.25, 2.25], {
    isSoft: true,
    roles: ["REST", "CONCEAL ~7", "ANSWERN|USERN"],
    within: 20,
    reach: 1,
  }),
  sign("later-more", "wants more from a later time on", "poisoning", [2.25, 2], {
    isSoft: true,
    roles: ["NEXTTIME", `${GIVE}|NEEDS`, `${THEIRS} ~8`],
    within: 28,
    reach: 1,
  }),
  sign("if-present", "wants what another tool holds, if it is there", "poisoning", [2.25, 1.5], {
    isSoft: true,
    isTrespass: true,
    roles: ["TOOLN", `${NAME} ~6`, "PRESENTT ~10", `${GIVE}|NEEDS`],
    within: 26,
  }),
  sign("chained", "has one tool's answer handed to another", "poisoning", [2.25, 1.75], {
    isSoft: true,
    isTrespass: true,
    roles: ["AHEAD|BEFORE", "INVOKES|CALL", `${NAME} ~4`, "RESULT|HOARD", GIVE, `${NAME} ~6`],
    within: 36,
    reach: 2,
  }),
  sign("gathers", "has another tool gather what is the user's first", "poisoning", [2.25, 1], {
    isSoft: true,
    isTrespass: true,
    roles: ["AHEAD|BEFORE", "INVOKES|CALL", `${NAME} ~8`, "HOARD", "USERN ~6"],
    within: 28,
  }),
  sign(
    "reads-then-sends",
    "names a tool that reads and one that sends, one after the other",
    "poisoning",
    [2.25, 1],
    {
      isSoft: true,
      isTrespass: true,
      roles: [NAME, `${NAME} ~14`, "AHEAD|BEFORE"],
      reach: 1,
      around: { before: 0, after: 40, pattern: READS_SENDS },
    },
  ),
  sign("opens-wide", "has a setting that asks or protects set to never", "mimicry", [1.25, 2.25], {
    isSoft: true,
    roles: ["OFFS|REPLACES", "GUARD|PROMPTS ~10"],
    within: 16,
    around: { before: 4, after: 60, pattern: OPENED },
  }),
  sign("whole-into", "has whole documents of the user put into a parameter", "poisoning", [2.25, 1], {
    isSoft: true,
    roles: ["ENTIRE", "HOARD ~6", GIVE, `${NAME} ~9`, "USERN"],
    within: 34,
  }),
  sign("fetches-theirs", "has an agent fetch what is the user's and hand it over", "mimicry", [1.5, 2.25], {
    isSoft: true,
    roles: ["AI", "INVOKES|READ", THEIRS, "USERN ~6", GIVE],
    within: 40,
    reach: 1,
    unlessWithin: "NEVER",
  }),
  sign("address-gap", "has an address filled with what was said", "poisoning", [2.25, 2.25], {
    roles: ["URL", `${ALL_OF_IT}|USERN|RESULT`],
    within: 14,
    around: { before: 0, after: 160, pattern: GAP },
  }),
  sign("address-filled", "has what was said put into an address", "poisoning", [2.25, 2.25], {
    roles: ["URL", "REPLACES", ALL_OF_IT],
    within: 22,
    reach: 1,
    around: { before: 0, after: 120, pattern: EMPTY },
  }),
  sign("host-gap", "has a host's name made of secrets", "poisoning", [2.5, 2.5], {
    ideas: [ALL_OF_IT],
    around: { before: 60, after: 120, pattern: HOST_GAP },
  }),
  sign("spoken-turns", "speaks for the user and for the assistant", "mimicry", [1, 2.25], {
    isSoft: true,
    roles: ["USERN", "YES ~5", "AGENTN|AI"],
    within: 44,
    reach: 3,
    around: { before: 400, after: 60, pattern: TURNS },
  }),
];
