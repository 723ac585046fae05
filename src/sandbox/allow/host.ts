/** A host and port that connections may go to. */

export interface AllowedHost {
  /** A name in lower case, `*.suffix`, or an address. */
  readonly host: string;
  readonly port: number;
  /** Who says so: the operator, or the package itself. */
  readonly by: "operator" | "package";
}
