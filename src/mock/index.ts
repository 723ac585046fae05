/** A server from a YAML file, honest or hostile: canned answers, real argument checks, and a catalogue of faults.
 *  Used by tests, examples and `touchstone mock`. Does what its file says and nothing else. */
export { FRAME_FAULTS, type Mock, mockSchema } from "./definition.ts";
export { playHttp, playStdio, readMock, readMockText } from "./play.ts";
export { type Announcer, serverOf } from "./serve.ts";
export { ENCODERS } from "./template.ts";
