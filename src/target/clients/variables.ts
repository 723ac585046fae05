/** Variables in config entries, each client's own way. What has no value here is a fault by name; values are
 *  collected so that they can be kept out of everything printed. */
import type { Machine, VariableStyle } from "./table.ts";

export interface Expander {
  /** `where` names the field in a fault. */
  expand(text: string, where: string): string;
  /** The value of an environment variable that a field names. */
  variable(name: string, where: string): string;
  /** Names of environment variables that were read. */
  readonly reads: ReadonlySet<string>;
  /** Their values. */
  readonly values: readonly string[];
  /** The first variable that has no value here. */
  readonly fault: string | undefined;
}

type Lookup = (name: string, fallback?: string) => string;

// Lengths are bounded: in a text of nothing but beginnings, each of them would look for its end up to the last character.
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function createExpander(style: VariableStyle, machine: Machine): Expander {
  const reads = new Set<string>();
  const values: string[] = [];
  let fault: string | undefined;
  const failAt =
    (where: string) =>
    (what: string): string => {
      fault ??= `${where}: ${what}`;
      return "";
    };
  const lookupAt =
    (where: string): Lookup =>
    (name, fallback) => {
      const set = machine.environment[name];
      const value = set ?? fallback;
      if (value === undefined) return failAt(where)(`the variable ${name} is not set in this environment`);
      if (set !== undefined) reads.add(name);
      values.push(value);
      return value;
    };
  return {
    reads,
    values,
    get fault() {
      return fault;
    },
    variable: (name, where) => lookupAt(where)(name),
    expand: (text, where) => STYLES[style](text, lookupAt(where), failAt(where), machine),
  };
}

type Style = (text: string, lookup: Lookup, fail: (what: string) => string, machine: Machine) => string;

const STYLES: Readonly<Record<VariableStyle, Style>> = {
  none: (text) => text,
  braces: (text, lookup) =>
    text.replace(
      /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]{0,1000}))?\}/g,
      (_, name: string, fallback?: string) => lookup(name, fallback),
    ),
  shell: (text, lookup) =>
    text.replace(/\$(?:\{([^}]{1,1000})\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
      const [name = "", fallback] = (braced ?? bare ?? "").split(/:-(.*)/s, 2);
      return NAME.test(name) ? lookup(name, fallback) : whole;
    }),
  curly: (text, lookup, fail) =>
    text.replace(/\{(env|file):([^}]{1,1000})\}/g, (_, kind: string, name: string) =>
      kind === "env" ? lookup(name.trim()) : fail("it takes the contents of a file, which is not read here"),
    ),
  editor: (text, lookup, fail, machine) =>
    text.replace(/\$\{([^}]{1,1000})\}/g, (whole, variable: string) => {
      const [kind = "", name] = variable.split(/:(.*)/s, 2);
      if (kind === "env" && name) return lookup(name);
      if (kind === "input") return fail(`it asks for the input "${name}", which only the editor has`);
      const known = editorFolders(machine)[variable];
      if (known !== undefined) return known;
      // Anything else that an editor fills in; what no editor knows stays as it is written.
      const isEditors =
        /^(command|config|file|workspaceFolder|relativeFile|selectedText|lineNumber|cwd|execPath|default)/.test(
          variable,
        );
      return isEditors ? fail(`\${${kind}} has a value in the editor only`) : whole;
    }),
};

function editorFolders({ folder, home, platform }: Machine): Readonly<Record<string, string>> {
  const separator = platform === "win32" ? "\\" : "/";
  return {
    workspaceFolder: folder,
    workspaceRoot: folder,
    workspaceFolderBasename: folder.split(/[/\\]/).filter(Boolean).at(-1) ?? folder,
    userHome: home,
    pathSeparator: separator,
    "/": separator,
  };
}
