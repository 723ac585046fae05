/** Names of characters in HTML that people and programs write: those of Latin-1, and the marks of typesetting. */

const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

const MARKS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  sbquo: "‚",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  bull: "•",
  hellip: "…",
  euro: "€",
  trade: "™",
  Tab: "\t",
  NewLine: "\n",
  period: ".",
  comma: ",",
  colon: ":",
  sol: "/",
  commat: "@",
  lpar: "(",
  rpar: ")",
  equals: "=",
  plus: "+",
  num: "#",
};

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(" ").map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...Object.entries(MARKS),
]);

/** With the references that a text makes to characters put in their place. */
export function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7});?|#x([0-9a-f]{1,6});?|([a-z][a-z0-9]{1,7});)/gi,
    (whole, dec?: string, hexa?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole;
      const code = dec === undefined ? Number.parseInt(hexa as string, 16) : Number(dec);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
