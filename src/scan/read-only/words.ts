/** Words by what they say about a tool: it looks, it destroys, it changes. Data for read-only-lie.ts. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** A name that opens with one of these only looks, whatever stands behind it: `get_delete_status`. */
export const READS = words(`
  get list check search find show describe count preview validate simulate estimate read fetch view query lookup look
  inspect analyze analyse explain compare calculate calc compute convert verify retrieve browse explore summarize
  summarise detect scan monitor watch wait ping measure trace diff audit lint quote price suggest recommend predict
  forecast classify extract parse decode translate download is has can dry describe discover identify evaluate assess
  review locate resolve enumerate head peek tail sum average rank score guide reference whoami test echo help ask
  estimated available pending recent latest current`);

/** Of those, the ones that work out what moving something would mean. */
export const REHEARSES = words(`
  preview validate simulate estimate check calculate calc compute convert verify quote price predict forecast dry`);

/** Verbs with one meaning, which no honest reader has for its action. */
export const DESTROYS = words("delete destroy erase wipe purge withdraw revoke");

/** Verbs that are nouns as well. They count with one of these objects behind them, or first in the name. */
export const MOVES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    transfer: words(
      "funds money tokens token coins coin crypto nft asset assets balance ownership eth btc sol usdc",
    ),
    pay: words("invoice bill bills invoices user vendor supplier salary rent fee order"),
    drop: words(
      "table tables database databases collection collections index indexes schema schemas keyspace column user db",
    ),
    burn: words("token tokens coin coins nft nfts supply"),
    sign: words("transaction transactions tx message typed contract document transfer"),
    send: words(
      "money funds payment payments token tokens transaction tx crypto coins eth btc email emails mail message messages sms whatsapp dm",
    ),
  }),
);

/** Endings of a name that make a noun of what stands before: `burn_rate_report`, `transfer_status`. */
export const NOUN_ENDINGS = words(`
  status state rate rates ratio history events event report reports log logs list count counts info information details
  stats statistics methods method summary schedule schedules policy policies queue preview estimate quote fee fees cost
  costs price prices options notes note reason reasons record records limit limits plan plans guide guides docs doc
  documentation help metrics analysis check checks validation eligibility audit audits stubs stub slip slips period
  periods scale grade overview trend trends timeline dashboard feed calendar requirements rules rule errors error
  warnings statements statement receipts receipt confirmations window windows times time speed in up out on off`);

/** Behind these a verb at the end is no order: `can_delete`, `pending_delete`. */
export const NOT_ORDERS = words(
  "can is pending scheduled last recent before after should soft undo on pre post no",
);

/** What makes a noun of a verb that is hardly one: `account_delete_status`. A note, a list or a rule can be deleted. */
export const ABOUT_ENDINGS = words(`
  status history rate report reports stats statistics count info details summary preview estimate eligibility metrics
  analysis check docs documentation guide help overview trend trends dashboard requirements audit`);

/** Endings that turn an order into its rehearsal or its manual. */
export const REHEARSAL_ENDINGS = words("plan preview estimate check guide docs help history");

/** Verbs that change something and hardly ever mean anything else. */
export const CHANGES = words(`
  remove write overwrite edit modify rename move merge push upload install uninstall kill terminate swap submit publish
  insert upsert truncate clear reset deploy unsubscribe ban unban cancel restore rollback grant assign unassign approve
  reject demote promote toggle enable disable save buy sell trade mint stake unstake append replace archive unarchive
  unlock invite kick mute reopen unresolve unstar reprioritize reorder apply migrate provision restart reboot shutdown
  stop start launch drag click allocate send transfer drop burn pay sign reserve register unregister subscribe attach
  detach unfollow unblock tweet unset resize navigate override execute exec rotate disconnect reconnect login logout`);

/** Verbs that are nouns too, or that may as well make a text, a query or a plan: the description must confirm them. */
export const MAKES = words(`
  create update add manage trigger make new generate build perform handle request batch type order schedule book post
  like flag mark vote mail release scale commit fork block lock hover tap press swipe fill format sync import star set
  put close patch reply respond follow authenticate`);

/** What only changes the text it was given. */
export const HARMLESS_OBJECTS = words(`
  background duplicates duplicate stopwords whitespace noise html markdown text string strings json xml csv code punctuation
  comments accents diacritics vowels formatting date dates number numbers currency words lines characters palette color colors`);

/** What a shell, an interpreter or a database obeys. */
export const OBEYED = words(
  "shell command commands cmd script code bash terminal sql statement program process exec binary",
);

/** Parameters, letters and digits only. */
export const SECRET_PARAMETERS =
  /(?:^|wallet|account|signer|my|sender)(?:privatekey|mnemonic|mnemonicphrase|seedphrase|secretphrase|recoveryphrase)s?$/;
export const RECIPIENT_PARAMETERS =
  /^(?:recipients?|payees?|beneficiary|recipient(?:address|account|wallet|iban|id|email)|payee(?:account|iban|id)|toaddress|destinationaddress|towallet|toaccount|destinationaccount)$/;
export const AMOUNT_PARAMETERS =
  /^(?:amount|amountwei|valuewei|amounttosend|paymentamount|transferamount|lamports|satoshis)$/;
export const PAYLOAD_PARAMETERS =
  /^(?:content|contents|body|message|data|patch|edits?|documents?|steps|files|value|comment|payload|updates?|changes|entities|relations|observations|title|text)$/;
