/** Text to findings: views that undo disguises, scanners that look at them, signals that are summed and named.
 *  Pure: no file, no network, no clock. */
export type { Hit, Signal } from "./hit.ts";
