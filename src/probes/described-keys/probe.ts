/** 5.9: keys of others that a tool reads, and says so in its description, or that git reads for it. The user can know it; that is
 *  the difference to 5.4. */
import { finding } from "../../core/index.ts";
import { keyReads, onceEach } from "../key-reads.ts";
import { judgedBy, OURS, type Probe, passed, unobserved } from "../probe.ts";

export const describedKeys: Probe = {
  id: "5.9",
  category: "X-05",
  title: "keys that tools say they read",
  methods: OURS,
  judge(run) {
    if (unobserved(run)) return passed("no key was planted");
    const findings = onceEach(keyReads(run)).flatMap(({ path, because }) =>
      because === "described" || because === "git"
        ? [finding("X-05/5.9", path, `reads ${path}, ${WORDS[because]}`)]
        : [],
    );
    return judgedBy(findings, passed("no tool reads a key that it names"));
  },
};

const WORDS = {
  described: "as a tool's description says",
  git: "as git does where it connects",
} as const;
