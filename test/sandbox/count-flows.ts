/** Many flows at once, each of which says where it is meant to go: how many are told with that place. */
import { type EgressEvent, start } from "../../src/sandbox/index.ts";

export async function countFlows(
  file: string,
  tcp: number,
  udp: number,
  origins?: "table" | "sets",
): Promise<{ readonly right: number; readonly wrong: readonly string[] }> {
  const running = await start(
    { command: process.execPath, args: [file, String(tcp), String(udp), "200"] },
    { idleMs: 200, ...(origins ? { origins } : {}) },
  );
  running.stdio.stdout?.resume();
  running.stdio.stderr?.resume();
  await running.exited;
  const flows = running.events.filter((event): event is EgressEvent => event.kind === "egress");
  const isRight = ({ protocol, address, port, firstBytes }: EgressEvent): boolean =>
    Buffer.from(firstBytes, "base64").toString() === `${protocol} ${address} ${port}`;
  return {
    right: flows.filter(isRight).length,
    wrong: flows
      .filter((flow) => !isRight(flow))
      .map(({ protocol, address, port, firstBytes, notes }) =>
        [protocol, address, port, Buffer.from(firstBytes, "base64").toString(), ...notes].join(" "),
      ),
  };
}
