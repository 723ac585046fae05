/** Our log in the form of the audit-record contract (SEP-3004), and whether records of anybody keep to that form. */
export { CONTRACT_MANIFEST, contractExport } from "./export.ts";
export { checkChain, checkManifest } from "./record.ts";
