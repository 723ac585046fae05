/** The clearance assertion of ATSA: what it says, whether it is one, whether it admits. Values in, values out. */
export { canonicalBody, type Sad, type SadBody, sadDigest } from "./document.ts";
export { type Dialect, type Inspection, inspectSad } from "./inspect.ts";
export { MAX_SAD_BYTES, readSad, type SadRead, type SadReading } from "./read.ts";
export { type SignedSad, signSad } from "./sign.ts";
export { admitTool, type ToolVerdict } from "./tool.ts";
export {
  type Admission,
  type Level,
  type SadAnchors,
  type SadContext,
  type SadKey,
  type SadVerdict,
  verifySad,
} from "./verify.ts";
