/** What is handed in is either taken or refused with one reason. Nothing here throws at bytes of strangers. */

export interface Refused<Reason extends string> {
  readonly status: "refused";
  readonly reason: Reason;
  /** The number of the reason, for machines that keep numbers. */
  readonly code: number;
  readonly message: string;
}

/** Makes refusals from a table of reasons and their numbers. */
export function refuser<Table extends Readonly<Record<string, number>>>(
  table: Table,
): <Reason extends keyof Table & string>(reason: Reason, message: string) => Refused<Reason> {
  return (reason, message) => ({ status: "refused", reason, code: table[reason] as number, message });
}
