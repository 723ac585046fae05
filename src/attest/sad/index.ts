/** The clearance assertion of ATSA: what it says, whether it is one, whether it admits. Values in, values out. */
export { canonicalBody, type Sad, type SadBody, sadDigest } from "./document.ts";
export { inspectSad } from "./inspect.ts";
export { readSad, type SadReading } from "./read.ts";
export { seenIn, seenMark, signSad } from "./sign.ts";
export { admitTool } from "./tool.ts";
export { type Admission, type SadAnchors, type SadContext, type SadKey, verifySad } from "./verify.ts";
