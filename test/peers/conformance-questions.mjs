/** The fixtures of the official conformance suite that ask the client something before they answer. Written once: in the modern era the SDK
 *  sends what they ask as a result, in a session of the legacy era as requests. */
import { createHmac, randomBytes } from "node:crypto";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { z } from "zod";
import { text } from "./shared.mjs";

const key = randomBytes(32);
const sealOf = (said) => createHmac("sha256", key).update(said).digest("hex");
const sealed = (said) => `${said}.${sealOf(said)}`;

/** What a server is made with, so that a state that was tampered with is refused. */
export const requestState = {
  verify(state) {
    const [said = "", seal] = state.split(".");
    if (seal !== sealOf(said)) throw new Error("the state was tampered with");
    return said;
  },
};

const form = (message, properties) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties) },
  });
const field = { type: "string" };
const sample = (said, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: said } }],
    maxTokens,
  });
const user_name = form("What is your name?", { name: field });
const client_roots = inputRequired.listRoots();
const TITLED = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];
const OPTIONS = ["option1", "option2", "option3"];
const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};
const ENUMS = {
  untitledSingle: { type: "string", enum: OPTIONS },
  titledSingle: { type: "string", oneOf: TITLED },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
  titledMulti: { type: "array", items: { anyOf: TITLED } },
};

/** Answers with what was said to all of `requests`, which are asked first. */
function asking(requests, { mcpReq }, { state, answer = (said) => text(JSON.stringify(said)) } = {}) {
  const said = Object.keys(requests).map((name) => inputResponse(mcpReq.inputResponses, name));
  const isAnswered = said.every(({ kind }) => kind !== "missing");
  if (isAnswered && (state === undefined || mcpReq.requestState() !== undefined)) return answer(said);
  return inputRequired({
    inputRequests: requests,
    ...(state === undefined ? {} : { requestState: sealed(state) }),
  });
}

/** `tool` and `prompt` are told what to register. */
export function registerQuestions(server, tool, prompt) {
  const asks = (name, requests, more) =>
    tool(`test_input_required_result_${name}`, (context) => asking(requests, context, more));
  asks("elicitation", { user_name }, { answer: ([said]) => text(`Hello, ${said.content?.name}!`) });
  asks("sampling", { capital_question: sample("What is the capital of France?", 100) });
  asks("list_roots", { client_roots });
  const confirm = form("Please confirm", { ok: { type: "boolean" } });
  asks("request_state", { confirm }, { state: "asked", answer: () => text("state-ok") });
  asks("tampered_state", { confirm }, { state: "asked" });
  const greeting = sample("Generate a greeting", 50);
  // Where nobody claims it, the SDK says what is missing.
  tool("test_missing_capability", (context) => asking({ greeting }, context));
  asks("multiple_inputs", { user_name, greeting, client_roots }, { state: "all" });
  tool("test_input_required_result_multi_round", (context) => {
    const step2 = form("Step 2: What is your favorite color?", { color: field });
    if (context.mcpReq.requestState() !== undefined && !isFirst(context))
      return asking({ step2 }, context, { state: "second" });
    return asking({ step1: form("Step 1: What is your name?", { name: field }) }, context, {
      state: "first",
      answer: () => asking({ step2 }, context, { state: "second" }),
    });
  });
  tool("test_input_required_result_capabilities", (context) => {
    const { sampling, elicitation } = server.server.getClientCapabilities() ?? {};
    const requests = { ...(elicitation ? { user_name } : {}), ...(sampling ? { greeting } : {}) };
    return asking(requests, context);
  });
  prompt("test_input_required_result_prompt", (context) =>
    asking({ user_context: form("What context should the prompt use?", { context: field }) }, context, {
      answer: ([{ content }]) => ({
        messages: [{ role: "user", content: { type: "text", text: `In ${content?.context}` } }],
      }),
    }),
  );
  const completed = ([{ action, content }]) =>
    text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
  const filled = (name, properties) =>
    tool(`test_elicitation_${name}`, (context) =>
      asking({ form: form("Please fill this in", properties) }, context, { answer: completed }),
    );
  filled("sep1034_defaults", DEFAULTS);
  filled("sep1330_enums", ENUMS);
  tool(
    "test_elicitation",
    ({ message }, context) =>
      asking({ form: form(message, { username: field, email: field }) }, context, { answer: completed }),
    { inputSchema: z.object({ message: z.string() }) },
  );
  tool(
    "test_sampling",
    ({ prompt: said }, context) =>
      asking({ sample: sample(said, 100) }, context, {
        answer: ([{ result }]) => text(`LLM response: ${result.content.text}`),
      }),
    { inputSchema: z.object({ prompt: z.string() }) },
  );
}

/** Whether what came back answers the first question of the fixture that has two. */
const isFirst = ({ mcpReq }) => inputResponse(mcpReq.inputResponses, "step1").kind !== "missing";
