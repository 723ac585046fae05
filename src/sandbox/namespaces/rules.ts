/** How a fresh network namespace becomes one in which every address is local and every connection ends at the sinkhole.
 *  There is no way out to close: without these rules connections fail, they do not leak. */

/** Where the sinkhole listens: above the ports that clients are given, so that none is ever in the way. */
export const TCP_PORT = 61_990;
export const UDP_PORT = 61_991;
export const DNS_PORT = 61_992;
/** What goes to a usual place arrives at a port of its own: where it was meant to go need not be looked up. */
export const USUAL_TCP: ReadonlyMap<number, number> = new Map([
  [61_993, 443],
  [61_994, 80],
]);
export const RESOLVER_PORT = 61_995;
/** The resolver that the place is configured with. */
export const RESOLVER = "10.0.2.3";
/** Source ports of the sinkhole's own connections, when it passes one on to the process it came from. */
export const OWN_PORTS = { first: 61_000, last: 61_899 } as const;
export const TABLE = "sink";
/** Addresses of the interface, which only makes the place look usual. */
export const INTERFACE = ["10.0.2.15", "fd5b:2::15"] as const;

/** For `ip -force -batch -`: each line may fail alone (no IPv6, no veth). The interface only makes the place look usual. */
export const ROUTES = `link set lo up
route add local 0.0.0.0/0 dev lo
route add local ::/0 dev lo
link add eth0 type veth peer name eth0p
link set eth0p up
link set eth0 up
addr add ${INTERFACE[0]}/24 dev eth0
addr add ${INTERFACE[1]}/64 dev eth0 nodad
route add local 10.0.2.0/24 dev lo src ${INTERFACE[0]}
route add local fd5b:2::/64 dev lo src ${INTERFACE[1]}
route replace local 0.0.0.0/0 dev lo src ${INTERFACE[0]}
route replace local ::/0 dev lo src ${INTERFACE[1]}
route add default via 10.0.2.2 dev eth0
`;

const LOOPBACKS = ["ip daddr 127.0.0.0/8", "ip6 daddr ::1"];
const OWN = `th sport ${OWN_PORTS.first}-${OWN_PORTS.last}`;
const FLOW = (address: string): string =>
  `{ type ${address} . inet_service . ${address} . inet_service; flags dynamic,timeout; timeout 60s; size 65535; }`;

/** For `nft -f -`. Protocols by number: slim systems have no names for them. TCP keeps its address, only the port is changed;
 *  the sets t, u and d hold where each flow to an unusual place was meant to go (TCP, UDP, names), a every destination tried, o those of other
 *  protocols, and `native` the loopback ports that are left alone. The counters say how much there was to observe. */
export const FILTER = `table inet ${TABLE} {
  set t4 ${FLOW("ipv4_addr")}
  set t6 ${FLOW("ipv6_addr")}
  set u4 ${FLOW("ipv4_addr")}
  set u6 ${FLOW("ipv6_addr")}
  set d4 ${FLOW("ipv4_addr")}
  set d6 ${FLOW("ipv6_addr")}
  set a4 { type ipv4_addr . inet_proto . inet_service; flags dynamic; size 65535; }
  set a6 { type ipv6_addr . inet_proto . inet_service; flags dynamic; size 65535; }
  set o4 { type ipv4_addr . inet_proto; flags dynamic; size 65535; }
  set o6 { type ipv6_addr . inet_proto; flags dynamic; size 65535; }
  counter connections { }
  counter datagrams { }
  set native { type inet_proto . inet_service; size 65535; }
  chain divert { type nat hook output priority -100; policy accept;
    ${LOOPBACKS.map((loopback) => `${loopback} ${OWN} return`).join("\n    ")}
    ${LOOPBACKS.map((loopback) => `${loopback} meta l4proto . th dport @native return`).join("\n    ")}
    ip daddr ${RESOLVER} udp dport 53 dnat ip to 127.0.0.1:${RESOLVER_PORT}
    meta nfproto ipv4 udp dport 53 dnat ip to 127.0.0.1:${DNS_PORT}
    meta nfproto ipv6 udp dport 53 dnat ip6 to [::1]:${DNS_PORT}
    meta nfproto ipv4 meta l4proto 17 dnat ip to 127.0.0.1:${UDP_PORT}
    meta nfproto ipv6 meta l4proto 17 dnat ip6 to [::1]:${UDP_PORT}
    ${[...USUAL_TCP].map(([sink, port]) => `tcp dport ${port} dnat to :${sink}`).join("\n    ")}
    meta l4proto 6 dnat to :${TCP_PORT}
  }
  chain arrived { type filter hook input priority 200; policy accept;
    ct direction original tcp dport ${TCP_PORT} add @t4 { ip saddr . tcp sport . ip daddr . ct original proto-dst }
    ct direction original tcp dport ${TCP_PORT} add @t6 { ip6 saddr . tcp sport . ip6 daddr . ct original proto-dst }
    ct direction original udp dport ${UDP_PORT} add @u4 { ip saddr . udp sport . ct original ip daddr . ct original proto-dst }
    ct direction original udp dport ${UDP_PORT} add @u6 { ip6 saddr . udp sport . ct original ip6 daddr . ct original proto-dst }
    ct direction original udp dport ${DNS_PORT} add @d4 { ip saddr . udp sport . ct original ip daddr . ct original proto-dst }
    ct direction original udp dport ${DNS_PORT} add @d6 { ip6 saddr . udp sport . ct original ip6 daddr . ct original proto-dst }
    tcp dport { ${[TCP_PORT, ...USUAL_TCP.keys()].join(", ")} } tcp flags & (syn | ack) == syn counter name connections
    udp dport { ${UDP_PORT}, ${DNS_PORT}, ${RESOLVER_PORT} } counter name datagrams
  }
  chain tried { type filter hook output priority 0; policy accept;
    ct direction original meta l4proto { 6, 17 } add @a4 { ct original ip daddr . meta l4proto . ct original proto-dst }
    ct direction original meta l4proto { 6, 17 } add @a6 { ct original ip6 daddr . meta l4proto . ct original proto-dst }
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-report, mld2-listener-report, mld-listener-done } accept
    ct direction original meta l4proto != { 6, 17 } add @o4 { ip daddr . meta l4proto }
    ct direction original meta l4proto != { 6, 17 } add @o6 { ip6 daddr . meta l4proto }
    icmp type echo-request drop
    icmpv6 type echo-request drop
    meta l4proto { 1, 58 } accept
    meta l4proto != { 6, 17 } drop
  }
}
`;
