/** The network of the sandbox, made for real in a namespace of its own. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import {
  DNS_PORT,
  FILTER,
  OWN_PORTS,
  RESOLVER_PORT,
  ROUTES,
  TABLE,
  TCP_PORT,
  UDP_PORT,
  USUAL_TCP,
} from "./rules.ts";
import { findTools, SYSTEM_PATH } from "./tools.ts";

const timeout = 20_000;

/** What a shell prints in a fresh network. */
function inNetwork(script: string): string {
  const { unshare = "", sh = "" } = findTools().found;
  const { stdout, stderr, status } = spawnSync(
    unshare,
    ["--user", "--map-root-user", "--net", "--", sh, "-c", script],
    { encoding: "utf8", env: { PATH: SYSTEM_PATH, LC_ALL: "C", ROUTES, FILTER } },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}
const ROUTED = 'printf %s "$ROUTES" | ip -force -batch - 2>/dev/null';

const ADDRESSES = [
  "10.0.2.3",
  ...["203.0.113.1", "8.8.8.8", "10.0.2.15", "192.168.1.1", "169.254.169.254", "198.18.0.1"],
  ...["127.0.0.1", "127.8.9.1", "1.0.0.0", "223.255.255.255"],
  ...["2001:db8::1", "2606:4700::1111", "fd00::1", "::1", "64:ff9b::808:808"],
];

test("every address of the world is this machine's own", { timeout }, () => {
  const told = inNetwork(`${ROUTED}; for a in ${ADDRESSES.join(" ")}; do ip -o route get $a; done; :`);
  const routes = told.trim().split("\n");
  assert.equal(routes.length, ADDRESSES.length, told);
  for (const [i, address] of ADDRESSES.entries())
    assert.match(routes[i] ?? "", new RegExp(`^local ${address} (?:from :: )?dev lo `));
});

test("without them there is no way out either", { timeout }, () => {
  const script = "for a in 8.8.8.8 127.0.0.1 2606:4700::1111; do ip route get $a && echo way out; done";
  assert.equal(inNetwork(`{ ${script}; } 2>/dev/null; :`), "");
});

test("nftables takes the filter, with the sets and counters that are read later", { timeout }, () => {
  const told = inNetwork(`${ROUTED}; printf %s "$FILTER" | nft -f - && nft -nj list table inet ${TABLE}`);
  const { nftables } = JSON.parse(told) as {
    nftables: {
      set?: { name: string };
      counter?: { name: string; packets: number };
      chain?: { name: string; hook: string; type: string };
    }[];
  };
  const sets = nftables.flatMap(({ set }) => (set ? [set.name] : []));
  assert.deepEqual(sets.sort(), ["a4", "a6", "d4", "d6", "native", "o4", "o6", "t4", "t6", "u4", "u6"]);
  const counters = nftables.flatMap(({ counter }) => (counter ? [`${counter.name} ${counter.packets}`] : []));
  assert.deepEqual(counters.sort(), ["connections 0", "datagrams 0"]);
  const chains = nftables.flatMap(({ chain }) =>
    chain ? [`${chain.name} ${chain.type} ${chain.hook}`] : [],
  );
  assert.deepEqual(chains.sort(), ["arrived filter input", "divert nat output", "tried filter output"]);
});

test("the ports of the sinkhole are given to nobody else", { timeout }, () => {
  const [, last = "65535"] = inNetwork("cat /proc/sys/net/ipv4/ip_local_port_range").trim().split(/\s+/);
  const sinks = [TCP_PORT, UDP_PORT, DNS_PORT, RESOLVER_PORT, ...USUAL_TCP.keys()];
  const own = [...sinks, OWN_PORTS.first, OWN_PORTS.last];
  for (const port of own)
    assert.ok(port > Number(last) && port < 65_536, `${port}, clients have up to ${last}`);
  for (const port of sinks) assert.ok(port < OWN_PORTS.first || port > OWN_PORTS.last, String(port));
  assert.equal(new Set(sinks).size, sinks.length);
});
