// An honest server: keeps notes in memory, says what it does, and does what it says. Speaks both protocol eras.
import { RpcFailure, serveStdio } from "touchstone/wire";

const notes = new Map([
  ["welcome", "A touchstone shows by the streak a metal leaves whether it is gold."],
  ["door", "The code of the back door is 4417-heron-2093."],
]);

const tools = [
  {
    name: "list_notes",
    title: "List notes",
    description: "Lists the titles of all notes.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true },
  },
  {
    name: "read_note",
    title: "Read a note",
    description: "Returns the text of one note.",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string", description: "Title of the note" } },
      required: ["title"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: "write_note",
    title: "Write a note",
    description: "Creates a note or replaces its text.",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string" }, text: { type: "string" } },
      required: ["title", "text"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  },
];

const text = (value) => ({ content: [{ type: "text", text: value }] });
const refuse = (value) => ({ ...text(value), isError: true });

const calls = {
  list_notes: () => text([...notes.keys()].join("\n")),
  read_note: ({ title }) =>
    notes.has(title) ? text(notes.get(title)) : refuse("There is no note with this title."),
  write_note: ({ title, text: body }) => {
    notes.set(title, body);
    return text("Saved.");
  },
};

/** Why the arguments do not fit the tool's schema; undefined when they do. */
function misfit({ inputSchema }, given) {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return "Arguments are an object.";
  const known = Object.keys(inputSchema.properties);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) return "Unknown argument.";
  if ((inputSchema.required ?? []).some((name) => typeof given[name] !== "string"))
    return "A required argument is missing or not text.";
  return undefined;
}

serveStdio({
  info: { name: "honest-notes", version: "1.0.0" },
  capabilities: { tools: {} },
  instructions: "Keeps short notes in memory for as long as the server runs.",
  handlers: {
    "tools/list": () => ({ tools }),
    "tools/call": ({ name, arguments: given = {} }) => {
      const tool = tools.find((known) => known.name === name);
      if (!tool) throw new RpcFailure(-32602, "Unknown tool");
      const reason = misfit(tool, given);
      return reason === undefined ? calls[name](given) : refuse(reason);
    },
  },
});
