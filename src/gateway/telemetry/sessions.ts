/** How long sessions lasted: those of clients with us, and ours with servers. There are none in the modern era, where requests stand alone.
 *  Implements spec/gateway.md, GTW-77. */
import type { Call, ClientSession } from "../../wire/index.ts";
import type { Upstream } from "../upstream.ts";
import type { Ended } from "../upstream-settings.ts";
import { type Address, type Attributes, protocolOf } from "./facts.ts";
import { Durations } from "./measure.ts";
import { addressOf, isOverPipe, wordOf } from "./watch.ts";

export class SessionTimes {
  readonly #address: Address | undefined;
  readonly #known = new WeakSet<ClientSession>();
  readonly #lasted = { server: new Durations(), client: new Durations() };

  constructor(address: Address | undefined) {
    this.#address = address;
  }

  get server(): Durations["all"] {
    return this.#lasted.server.all;
  }
  get client(): Durations["all"] {
    return this.#lasted.client.all;
  }

  /** A client asks something: where its session is a new one, it lasts from now until it is over. */
  met(call: Call): void {
    const { session, version } = call;
    if (!session || this.#known.has(session)) return;
    this.#known.add(session);
    const began = performance.now();
    const isPipe = isOverPipe(call);
    const attributes = attributesOf(
      wordOf(version),
      isPipe ? "pipe" : "tcp",
      isPipe ? undefined : this.#address,
    );
    session.over.addEventListener("abort", () =>
      this.#lasted.server.take(
        JSON.stringify(attributes),
        () => attributes,
        (performance.now() - began) / 1000,
      ),
    );
  }

  /** Our session with a server is over. */
  ended({ name, target: { launch } }: Upstream, { era, version, error, seconds }: Ended): void {
    if (era !== "legacy") return;
    const [transport, address] =
      launch.kind === "http" ? (["tcp", addressOf(launch.url)] as const) : (["pipe", undefined] as const);
    const attributes = {
      ...attributesOf(wordOf(version), transport, address),
      "error.type": error,
      "touchstone.server.name": name,
    };
    this.#lasted.client.take(JSON.stringify(attributes), () => attributes, seconds);
  }
}

const attributesOf = (
  version: string | undefined,
  transport: "pipe" | "tcp",
  address: Address | undefined,
): Attributes => ({
  "mcp.protocol.version": version,
  "network.transport": transport,
  "network.protocol.name": protocolOf(transport),
  "server.address": address?.host,
  "server.port": address?.port,
});
