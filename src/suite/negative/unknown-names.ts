/** Names of tools that a server surely does not have, and that nobody takes for a test. */

export interface UnknownName {
  readonly name: string;
  readonly what: string;
  /** Near the name of a real tool: a careless server may take it for that one. */
  readonly isNear: boolean;
}

const PLAUSIBLE = ["list_archived_entries", "get_entry_summary", "read_record_details", "lookup_reference"];
const SUFFIXES = ["_v2", "_extended", "_all", "_other"];

/** A plausible one, the tool's own with an ending, and its own in other case. MCP makes names case-sensitive. */
export function unknownNames(tool: string, names: readonly string[]): readonly UnknownName[] {
  const known = new Set([...names, tool].map((name) => name.toLowerCase()));
  const isFree = (name: string): boolean => !known.has(name.toLowerCase());
  const plausible = free(PLAUSIBLE, isFree);
  const longer = free(
    SUFFIXES.map((suffix) => `${tool}${suffix}`),
    isFree,
  );
  const turned = [tool.toUpperCase(), tool.toLowerCase()].find(
    (name) => name !== tool && !names.includes(name),
  );
  return [
    { name: plausible, what: `a tool "${plausible}" that is not listed`, isNear: false },
    { name: longer, what: "the name of the tool with an ending", isNear: true },
    ...(turned === undefined
      ? []
      : [{ name: turned, what: "the name of the tool in other case", isNear: true }]),
  ];
}

/** The first that is free; numbers never run out. */
function free(wanted: readonly string[], isFree: (name: string) => boolean): string {
  const found = wanted.find(isFree);
  if (found !== undefined) return found;
  for (let turn = 2; ; turn++) {
    const name = `${wanted[0]}_${turn}`;
    if (isFree(name)) return name;
  }
}
