/** Characters that HTML has a name for, as far as texts hide behind them. */

export const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    lt: "<",
    gt: ">",
    amp: "&",
    quot: '"',
    apos: "'",
    nbsp: " ",
    NewLine: "\n",
    Tab: "\t",
    hyphen: "-",
    dash: "-",
    period: ".",
    colon: ":",
    sol: "/",
    lpar: "(",
    rpar: ")",
    lowbar: "_",
    commat: "@",
    num: "#",
  }),
);
