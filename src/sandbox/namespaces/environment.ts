/** The environment a jailed process gets: the caller's own words for it, another home, and certificates it can check ours by. */
import { delimiter } from "node:path";
import { CA_BUNDLE, CA_FILE, isShared } from "./jail.ts";

/** Another name where this one is taken. */
const USER = process.env.HOME === "/home/dev" ? "me" : "dev";
export const HOME = `/home/${USER}`;
export const WORK = `${HOME}/project`;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Where runtimes and tools look for certificates. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS: CA_FILE,
  DENO_CERT: CA_FILE,
  SSL_CERT_FILE: CA_BUNDLE,
  CURL_CA_BUNDLE: CA_BUNDLE,
  REQUESTS_CA_BUNDLE: CA_BUNDLE,
  AWS_CA_BUNDLE: CA_BUNDLE,
  GIT_SSL_CAINFO: CA_BUNDLE,
};

/** Planted variables come before the caller's: a value the operator gives is the one the server gets. */
export function jailEnvironment(
  given: Readonly<Record<string, string>>,
  planted: Readonly<Record<string, string>>,
  exposed: readonly string[],
): Record<string, string> {
  const isVisible = (folder: string): boolean =>
    isShared(folder) || exposed.some((path) => folder === path || folder.startsWith(`${path}/`));
  const path = (given.PATH ?? "").split(delimiter).filter(isVisible);
  return {
    LANG: "C.UTF-8",
    ...CERTIFICATES,
    ...planted,
    ...given,
    PATH: [...new Set([...path, ...SYSTEM_PATH.split(delimiter)])].join(delimiter),
    HOME,
    USER,
    LOGNAME: USER,
    SHELL: "/bin/sh",
    PWD: WORK,
    TMPDIR: "/tmp",
  };
}
