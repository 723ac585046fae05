/** Which arguments a server wants in headers too, tool by tool, as it listed them last. Implements spec/wire.md, WIR-20. */
import { isRecord } from "../era.ts";
import { type MirroredArgument, mirroredArguments } from "../headers.ts";

type ByTool = Map<string, readonly MirroredArgument[]>;

export class Mirrored {
  #tools: ByTool = new Map();
  /** As it was before: a list that is being read has its first pages only. What neither of the two has is forgotten. */
  #before: ByTool = new Map();

  of(tool: unknown): readonly MirroredArgument[] | undefined {
    return typeof tool === "string" ? (this.#tools.get(tool) ?? this.#before.get(tool)) : undefined;
  }

  /** A page of `tools/list`; `isFirst`: a list begins with it. */
  learn(page: unknown, isFirst: boolean): void {
    if (isFirst) [this.#before, this.#tools] = [this.#tools, new Map()];
    for (const tool of isRecord(page) && Array.isArray(page.tools) ? page.tools : [])
      if (isRecord(tool) && typeof tool.name === "string")
        this.#tools.set(tool.name, mirroredArguments(tool));
  }
}
