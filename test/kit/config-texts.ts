/** Client configs as anybody may have written them: comments, blanks and commas wherever the format allows them. */
import fc from "fast-check";

const blank = fc
  .array(
    fc.oneof(
      fc.constantFrom(" ", "\t", "\n", "\r\n", "  "),
      fc.stringMatching(/^[a-z"{}[\],: ]{0,12}$/).map((text) => `/*${text}*/`),
      fc.stringMatching(/^[a-z"{}[\],:/* ]{0,12}$/).map((text) => `//${text}\n`),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(""));

/** A value written with anything JSON with comments allows between its tokens. */
function written(value: unknown): fc.Arbitrary<string> {
  if (typeof value !== "object" || value === null) return fc.constant(JSON.stringify(value));
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, member]) =>
    fc
      .tuple(blank, blank, blank, blank, written(member))
      .map(([a, b, c, d, text]) =>
        isList ? `${a}${text}${b}` : `${a}${JSON.stringify(key)}${b}:${c}${text}${d}`,
      ),
  );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return fc
    .tuple(fc.tuple(...members), blank, members.length > 0 ? fc.boolean() : fc.constant(false))
    .map(([texts, end, hasComma]) => `${open}${texts.join(",")}${hasComma ? "," : ""}${end}${close}`);
}

/** An entry, or whatever stands where one should. */
export const anyEntry = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
});
/** A config with servers, and the name of one of them. */
export const anyConfig = fc
  .tuple(fc.dictionary(fc.string({ maxLength: 8 }), anyEntry, { minKeys: 1, maxKeys: 4 }), anyEntry)
  .chain(([servers, others]) => {
    const config = { ...others, mcpServers: servers };
    return fc.record({
      name: fc.constantFrom(...Object.keys(servers)),
      text: fc.tuple(blank, written(config), blank).map((parts) => parts.join("")),
    });
  });

/** Lines of TOML that look like more than they are. */
export const tomlLines = fc
  .array(
    fc.constantFrom(
      "",
      "# a comment",
      "# [mcp_servers.a]",
      'x = "[mcp_servers.a]"',
      "y = '''\n[mcp_servers.a]\n'''",
      'z = """\n\\"""\n[mcp_servers.b]\n"""',
      "l = [ # why\n  [1, 2], # ]\n  []\n]",
      "t = { u = { v = ']' } }",
      "d = 1979-05-27T07:32:00Z # date",
      "w = 0x_not",
    ),
    { maxLength: 4 },
  )
  .map((lines) => [...new Set(lines)].filter((line) => !line.startsWith("w")).join("\n"));
