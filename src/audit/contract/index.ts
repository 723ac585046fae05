/** Our log in the form of the audit-record contract (SEP-3004), and whether records of anybody keep to that form. */
export { eventHash, type FormFault, type FormProblem } from "./canonical.ts";
export { CONTRACT_MANIFEST, contractExport, type ExportedEntry } from "./export.ts";
export type {
  AdmissionControl,
  CallerGovernance,
  Extensions,
  Outcome,
  RuntimeSecurity,
  TouchstoneDecision,
} from "./extensions.ts";
export {
  type ChainFault,
  type ContractManifest,
  type ContractRecord,
  checkChain,
  checkManifest,
  checkRecord,
} from "./record.ts";
