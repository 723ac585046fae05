/** Values that cross from one server to another (SEC-060): what was said, what is handed on, and whether anybody declared it.
 *  Pure: no file, no network, no clock. One engine for suites, recordings and the gateway. */
export { createFlowContext, type FlowContext, flowsOf, type Into } from "./context.ts";
export { type FlowVerdict, judgeFlows, type TrustBoundary } from "./judge.ts";
export {
  EXEMPTIONS,
  type Exemption,
  FLOW_KINDS,
  type Flow,
  type FlowCall,
  type FlowEnd,
  type FlowKind,
  type FlowOptions,
  type Hop,
} from "./model.ts";
