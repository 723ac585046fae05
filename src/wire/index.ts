/** The raw MCP wire: frames, transports, both protocol eras, processes, recordings. Keeps every byte a peer sends;
 *  parses copies only. Other rooms judge recordings and outcomes; none of them touches a socket or a pipe. */
export { type ConnectOptions, connect, type Launch, PLAIN_CLIENT } from "./client/connect.ts";
export { type Listing, type ListMethod, list } from "./client/list.ts";
export type { Session } from "./client/session.ts";
export type { Params, Question, RequestOptions, ServerFace } from "./client/settings.ts";
export {
  type Claims,
  type Era,
  type EraChoice,
  isRecord,
  LEGACY_VERSION,
  LEGACY_VERSIONS,
  META,
  MODERN_ERRORS,
  MODERN_VERSION,
  type PeerInfo,
} from "./era.ts";
export { wireFindings } from "./findings.ts";
export { readExact } from "./frame/exact.ts";
export { type Line, LineReader } from "./frame/lines.ts";
export { type Fault, type Id, type Message, type RpcError, readMessage } from "./frame/message.ts";
export { hasInexactNumbers } from "./frame/numbers.ts";
export { type Ambiguity, folded, readOnce } from "./frame/read-once.ts";
export {
  itemsAt,
  type Member,
  memberNamed,
  membersAt,
  sliceOf,
  spliced,
  withoutUnder,
} from "./frame/splice.ts";
export { type SseEvent, SseReader } from "./frame/sse.ts";
export type { Span } from "./frame/tokens.ts";
export {
  decodeHeader,
  encodeHeader,
  type Headers,
  type MirroredArgument,
  mirroredArguments,
  modernHeaders,
} from "./headers.ts";
export { DEFAULT_LIMITS, type Limits, MOST_FRAME_BYTES, MOST_TIMER_MS } from "./limits.ts";
export {
  describe,
  type Ending,
  type Exit,
  type InputRequired,
  type Outcome,
  type OutcomeKind,
  type Stray,
} from "./outcome.ts";
export { type Command, findProgram, type Program } from "./process/command.ts";
export {
  type Containment,
  detectContainment,
  exitThroughShell,
  type Launched,
  type Launcher,
  supervisor,
} from "./process/containment.ts";
export {
  type Direction,
  type EventFields,
  RECORDING_FORMAT,
  type Reading,
  type RecordedEvent,
  readEvent,
} from "./recording/format.ts";
export { type OpenRequest, requestsAt } from "./recording/in-progress.ts";
export { readRecording } from "./recording/reader.ts";
export { type Redactor, redactor } from "./recording/redact.ts";
export {
  createRecorder,
  type Recorder,
  type RecorderOptions,
  recordToFile,
  type Tap,
} from "./recording/writer.ts";
export { type HttpRelay, hasServed, relayHttp } from "./relay/http.ts";
export { relayStdio, type StdioRelay } from "./relay/stdio.ts";
export {
  type Call,
  type ClientSession,
  type Handler,
  InputNeeded,
  RpcFailure,
  type ServerDefinition,
  type ServerSelf,
  type Subscribed,
  Verbatim,
  Whole,
} from "./server/definition.ts";
export type { Sender } from "./server/door.ts";
export { type Guard, LOOPBACK } from "./server/guard.ts";
export { type HttpServer, type HttpServerOptions, serveHttp } from "./server/http.ts";
export type { Refused } from "./server/refused.ts";
export { type StdioServer, serveStdio } from "./server/stdio.ts";
export type { StopSignal } from "./stop.ts";
