/** Files of this package, wherever the code that asks for them stands: in the sources, in a room of `dist`, or in the program, which is
 *  bundled. */
import { fileURLToPath } from "node:url";

// All three are two folders below the package. The program inside the sandbox is a folder deeper, and asks for none.
const ROOT = new URL("../../", import.meta.url);
export const isSource = import.meta.url.endsWith(".ts");

/** By its path in the package. */
export const ownFile = (path: string): string => fileURLToPath(new URL(path, ROOT));

/** A program of ours that is started as a process of its own, by its path in the sources: from source where we run from source. */
export const ownProgram = (path: string): string => ownFile(isSource ? `src/${path}.ts` : `dist/${path}.js`);
