/** What `touchstone login` keeps: tokens a server's owner gave us, one file that only its user can read. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isRecord } from "../wire/index.ts";

/** Everything kept for one server. Members beside these belong to the OAuth library and are kept as they are. */
export interface Credential {
  readonly issuer?: string;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly tokens?: Readonly<Record<string, unknown>>;
  /** When the tokens were saved, RFC 3339. */
  readonly savedAt?: string;
}

export interface CredentialStore {
  readonly file: string;
  read(server: URL): Promise<Credential | undefined>;
  write(server: URL, credential: Credential | undefined): Promise<void>;
}

/** The place of the file: under the user's configuration folder. */
export function credentialFile(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = env.TOUCHSTONE_CONFIG ?? join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "touchstone");
  return join(base, "credentials.json");
}

export function credentialStore(file: string = credentialFile()): CredentialStore {
  const all = async (): Promise<Record<string, Credential>> => {
    const text = await readFile(file, "utf8").catch(() => "{}");
    try {
      const value: unknown = JSON.parse(text);
      return isRecord(value) ? (value as Record<string, Credential>) : {};
    } catch {
      return {};
    }
  };
  return {
    file,
    async read(server) {
      const kept = await all();
      return Object.hasOwn(kept, keyOf(server)) ? kept[keyOf(server)] : undefined;
    },
    async write(server, credential) {
      const { [keyOf(server)]: _old, ...others } = await all();
      const next = credential === undefined ? others : { ...others, [keyOf(server)]: credential };
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // Written beside and moved into place: a crash leaves the old file or the new one, never half of one.
      const draft = `${file}.${process.pid}.tmp`;
      try {
        await writeFile(draft, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, flag: "wx" });
        await chmod(draft, 0o600);
        await rename(draft, file);
      } catch (cause) {
        await rm(draft, { force: true });
        throw cause;
      }
    },
  };
}

/** A token is for one endpoint: origin and path, without query or fragment. */
const keyOf = (server: URL): string => server.origin + server.pathname;
