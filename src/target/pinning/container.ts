/** How exactly `docker run` and `podman run` name an image. */
import { divide, type Grammar, type Pinning, pinning } from "./words.ts";

/** Every option of `run` but these takes a value, so the first word that is left is the image. */
const RUN: Grammar = {
  flags: new Set(
    `-i -t -d -P -q --interactive --tty --detach --rm --init --privileged --read-only --publish-all
    --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --quiet --use-api-socket --help
    --replace --rmi --tls-verify --env-host --http-proxy --no-hosts --no-hostname --passwd --unsetenv-all
    --read-only-tmpfs`.split(/\s+/),
  ),
  unknown: "takes-value",
  clusters: true,
};
const GLOBAL: Grammar = {
  flags: new Set(["-D", "--debug", "--tls", "--tlsverify", "--remote", "-r"]),
  unknown: "takes-value",
  clusters: true,
};

export function container(args: readonly string[]): Pinning {
  let [word, ...rest] = divide(args, GLOBAL).rest;
  if (word === "container") [word, ...rest] = rest;
  if (word === "exec") return pinning("unknown", "a container that runs already");
  if (word !== "run")
    return pinning("unknown", word === undefined ? "no subcommand" : `"${word}" is not judged`);
  const [image] = divide(rest, RUN).rest;
  return image === undefined ? pinning("unknown", "no image is named") : imagePinning(image);
}

/** `name[:tag][@sha256:…]`; a colon before a slash belongs to a port. */
export function imagePinning(image: string): Pinning {
  const [, name, tag, digest] =
    /^([\w.-]+(?::\d+)?(?:\/[\w.-]+)*|[\w.-]+(?:\/[\w.-]+)*)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/i.exec(
      image,
    ) ?? [];
  if (name === undefined) return pinning("unknown", "not an image name");
  if (digest !== undefined) return pinning("pinned", `image ${name} by its digest`);
  const [, bare, port] = /^([\w.-]+):(\d+)$/.exec(name) ?? [];
  const [shownName, shownTag] = bare !== undefined && tag === undefined ? [bare, port] : [name, tag];
  if (shownTag === undefined) return pinning("unpinned", `image ${shownName} without a tag or digest`);
  return pinning("floating", `image ${shownName}:${shownTag}: a tag can be moved to another image`);
}
