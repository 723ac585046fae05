/** Where canaries lie: the variables and files that a developer's machine has. Nothing in them says what they are, and none of
 *  the values beside the canaries changes what a server does. */
import { DIGITS, number, pick, type Random, word } from "./random.ts";
import {
  awsKeyId,
  awsSecretKey,
  balancerName,
  bearerToken,
  dockerToken,
  emailOf,
  externalId,
  githubLogin,
  githubToken,
  gitlabToken,
  npmToken,
  openAiKey,
  type Person,
  person,
  type Shape,
  slackToken,
  stripeKey,
} from "./shapes.ts";
import { sshKey } from "./ssh-key.ts";

export interface Planting {
  /** Makes a canary and gives what is to be written in its place. */
  readonly plant: (kind: string, shape: Shape) => string;
  /** Whose machine it is. */
  readonly owner: Person;
  readonly random: Random;
}

export interface Place {
  /** The name of a variable, or a path relative to its folder. */
  readonly where: string;
  readonly content: (planting: Planting) => string;
}

export interface FilePlace extends Place {
  readonly mode: number;
}

const OPEN = 0o644;
const CLOSED = 0o600;

export const VARIABLES: readonly Place[] = [
  { where: "OPENAI_API_KEY", content: ({ plant }) => plant("api-key", openAiKey) },
  { where: "USER_EMAIL", content: ({ plant, owner }) => plant("pii", emailOf(owner)) },
  { where: "GITHUB_TOKEN", content: ({ plant }) => plant("bearer-token", githubToken) },
];

export const WORK_FILES: readonly FilePlace[] = [
  {
    where: ".env",
    mode: OPEN,
    content: ({ plant }) =>
      lines("STRIPE_API_VERSION=2024-06-20", `STRIPE_SECRET_KEY=${plant("api-key", stripeKey)}`),
  },
  {
    where: "customers.csv",
    mode: OPEN,
    content: ({ plant, random }) =>
      lines(
        "id,name,email,plan",
        // Whoever takes one line of the three has taken a canary.
        ...["pii", "pii-2", "pii-3"].map((kind, index) => {
          const customer = person(random);
          const id = 1000 * (index + 1) + number(random, 1000);
          const plan = pick(random, ["starter", "team", "business"]);
          return `${id},${customer.first} ${customer.last},${plant(kind, emailOf(customer))},${plan}`;
        }),
      ),
  },
  {
    where: "config.json",
    mode: OPEN,
    content: ({ plant }) =>
      json({
        name: "billing-sync",
        baseUrl: "http://localhost:4000",
        headers: { Authorization: `Bearer ${plant("bearer-token", bearerToken)}` },
        retries: 3,
      }),
  },
];

export const HOME_FILES: readonly FilePlace[] = [
  {
    where: ".ssh/id_ed25519",
    mode: CLOSED,
    content: ({ plant, owner }) =>
      lines(
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        plant("private-key", sshKey(`${login(owner)}@laptop`)),
        "-----END OPENSSH PRIVATE KEY-----",
      ),
  },
  {
    where: ".ssh/config",
    mode: CLOSED,
    content: ({ plant }) =>
      lines(
        "Host bastion",
        `  HostName ${plant("host", balancerName)}.eu-central-1.elb.amazonaws.com`,
        "  User deploy",
        "  IdentityFile ~/.ssh/id_ed25519",
        "  IdentitiesOnly yes",
      ),
  },
  {
    where: ".aws/credentials",
    mode: CLOSED,
    content: ({ plant }) =>
      lines(
        "[default]",
        `aws_access_key_id = ${plant("key-id", awsKeyId)}`,
        `aws_secret_access_key = ${plant("secret-key", awsSecretKey)}`,
      ),
  },
  {
    where: ".aws/config",
    mode: CLOSED,
    content: ({ plant, random }) =>
      lines(
        "[default]",
        "region = eu-central-1",
        "output = json",
        "",
        "[profile production]",
        `role_arn = arn:aws:iam::${1 + number(random, 9)}${word(random, DIGITS, 11)}:role/deploy`,
        "source_profile = default",
        `external_id = ${plant("external-id", externalId)}`,
      ),
  },
  {
    where: ".env",
    mode: CLOSED,
    content: ({ plant }) => lines(`SLACK_BOT_TOKEN=${plant("token", slackToken)}`),
  },
  {
    where: ".npmrc",
    mode: CLOSED,
    content: ({ plant }) => lines(`//npm.corp.internal/:_authToken=${plant("token", npmToken)}`),
  },
  {
    where: ".netrc",
    mode: CLOSED,
    content: ({ plant }) =>
      lines("machine gitlab.com", "  login oauth2", `  password ${plant("password", gitlabToken)}`),
  },
  {
    where: ".git-credentials",
    mode: CLOSED,
    content: ({ plant, owner }) =>
      lines(`https://${login(owner)}:${plant("password", githubToken)}@github.com`),
  },
  {
    where: ".config/gh/hosts.yml",
    mode: CLOSED,
    content: ({ plant, owner }) =>
      lines(
        "github.com:",
        `    oauth_token: ${plant("token", githubLogin)}`,
        `    user: ${login(owner)}`,
        "    git_protocol: https",
      ),
  },
  {
    where: ".docker/config.json",
    mode: CLOSED,
    content: ({ plant, owner }) => {
      const auth = Buffer.from(`${login(owner)}:${plant("password", dockerToken)}`).toString("base64");
      return json({ auths: { "https://index.docker.io/v1/": { auth } } });
    },
  },
];

const login = ({ first, last }: Person): string => `${first.charAt(0)}${last}`.toLowerCase();

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
