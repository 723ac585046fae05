/** JSON texts of others inside lines of ours. Implements spec/wire.md, WIR-31. */

/** A JSON text without line breaks. Between its tokens they are blanks, and nowhere else can they be; to a reader of lines each of them
 *  is the end of a message, and what follows is the next one. */
export const oneLine = (json: string): string => (BREAK.test(json) ? json.replace(BREAKS, " ") : json);

/** Some readers end a line at a CR alone. */
const BREAK = /[\r\n]/;
const BREAKS = /[\r\n]+/g;
