/** Fields of a form that ask for a secret. The protocol forbids to ask for one in a form: it goes through the client's hands. */
import { isRecord } from "../../wire/index.ts";

const MAX_FIELDS = 100;

/** The names of such fields in the params of `elicitation/create`. */
export function secretFields(params: unknown): string[] {
  const schema = isRecord(params) ? params.requestedSchema : undefined;
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  return Object.entries(properties)
    .slice(0, MAX_FIELDS)
    .flatMap(([name, field]) => {
      const { type, title } = isRecord(field) ? field : {};
      // Yes or no is no secret, and an amount of tokens is none either.
      if (type === "boolean") return [];
      const named = [name, typeof title === "string" ? title : ""].map(spaced);
      return named.some((words) => SECRET.test(words) && !HARMLESS.test(words)) ? [name] : [];
    });
}

/** `apiKey` and `api_key` as `api key`. */
const spaced = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\-.]+/g, " ")
    .toLowerCase();

const SECRET =
  /\b(?:password|passphrase|passcode|passwd|pwd|secret|credentials?|token|api key|apikey|access key|private key|secret key|ssh key|seed phrase|mnemonic|recovery (?:phrase|code)|otp|totp|one time (?:code|password)|(?:verification|security|2fa|mfa|auth(?:entication)?) code|pin(?: code| number)?|cvv|cvc|card number|credit card|ssn|social security|passport number|iban|account number)(?=$| (?:for|to|of|and)\b| ?\()/;
const HARMLESS =
  /\b(?:page|next|cursor|continuation|max|min|number of|count|length|policy|name of|rotation|expiry|hint|type|kind)\b/;
