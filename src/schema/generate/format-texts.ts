/** A valid text for each format that schemas name, known to `formats.ts` or not. */

const two = (n: number): string => String(n % 100).padStart(2, "0");
const day = (turn: number): string => `2025-${two((Math.floor(turn / 28) % 12) + 1)}-${two((turn % 28) + 1)}`;
const more = (turn: number): string => (turn === 0 ? "" : String(turn + 1));

const TEXTS: ReadonlyMap<string, (turn: number) => string> = new Map(
  Object.entries({
    "date-time": (turn: number) => `${day(turn)}T12:00:00Z`,
    date: day,
    time: (turn: number) => `12:${two(turn % 60)}:00Z`,
    duration: (turn: number) => `PT${turn + 1}S`,
    email: (turn: number) => `user${more(turn)}@example.com`,
    "idn-email": (turn: number) => `user${more(turn)}@example.com`,
    hostname: (turn: number) => `example${more(turn)}.com`,
    "idn-hostname": (turn: number) => `example${more(turn)}.com`,
    ipv4: (turn: number) => `192.0.2.${(turn % 254) + 1}`,
    ip: (turn: number) => `192.0.2.${(turn % 254) + 1}`,
    ipv6: (turn: number) => `2001:db8::${(turn + 1).toString(16)}`,
    cidr: (turn: number) => `192.0.2.${turn % 255}/32`,
    mac: (turn: number) => `00:00:5e:00:53:${(turn % 256).toString(16).padStart(2, "0")}`,
    uri: (turn: number) => `https://example.com/${more(turn)}`,
    url: (turn: number) => `https://example.com/${more(turn)}`,
    iri: (turn: number) => `https://example.com/${more(turn)}`,
    "uri-reference": (turn: number) => `/example${more(turn)}`,
    "iri-reference": (turn: number) => `/example${more(turn)}`,
    "uri-template": (turn: number) => `https://example.com/${more(turn)}{id}`,
    uuid: (turn: number) =>
      `123e4567-e89b-42d3-a456-${(426_614_174_000 + turn).toString().padStart(12, "0")}`,
    guid: (turn: number) =>
      `123e4567-e89b-42d3-a456-${(426_614_174_000 + turn).toString().padStart(12, "0")}`,
    "json-pointer": (turn: number) => `/example${more(turn)}`,
    "relative-json-pointer": (turn: number) => `${turn}`,
    regex: (turn: number) => `^example${more(turn)}$`,
    byte: (turn: number) => btoa(`hello${more(turn)}`),
    base64: (turn: number) => btoa(`hello${more(turn)}`),
    base64url: (turn: number) => btoa(`hello${more(turn)}`).replaceAll("=", ""),
    binary: (turn: number) => `hello${more(turn)}`,
    password: (turn: number) => `Example-${turn + 1}-password`,
    phone: (turn: number) => `+1555010${turn % 10}`,
    color: (turn: number) => `#${(0x336699 + turn).toString(16)}`,
    json: (turn: number) => (turn === 0 ? "{}" : String(turn)),
    "json-string": (turn: number) => (turn === 0 ? "{}" : String(turn)),
    semver: (turn: number) => `1.0.${turn}`,
    int64: (turn: number) => String(turn + 1),
  }),
);

/** A text of a format, another one for each turn; `undefined` for a format nobody has heard of. */
export const formatText = (format: string, turn: number): string | undefined => TEXTS.get(format)?.(turn);

export const formatNames = (): readonly string[] => [...TEXTS.keys()];
