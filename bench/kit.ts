/** What the benches share: interleaved rounds, medians, and a printed table. Ratios of one run are the result. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs every contender once a round, in a turning order, so that noise of the machine meets all alike. */
export async function interleave(
  contenders: Readonly<Record<string, () => Promise<number>>>,
  rounds: number,
): Promise<Record<string, number[]>> {
  const names = Object.keys(contenders);
  const samples: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      const sample = await contenders[name]?.();
      if (sample !== undefined) samples[name]?.push(sample);
    }
  }
  return samples;
}

export interface Bound {
  readonly what: string;
  readonly ratio: number;
  readonly most: number;
}

/** Prints the bounds and says whether all hold. */
export function report(title: string, rows: readonly string[], bounds: readonly Bound[]): boolean {
  const machine = `${process.version}, ${process.platform} ${process.arch}, ${new Date().toISOString().slice(0, 10)}`;
  console.log(`${title} (${machine})`);
  for (const row of rows) console.log(`  ${row}`);
  for (const { what, ratio, most } of bounds)
    console.log(`  ${ratio <= most ? "ok  " : "OVER"} ${what}: ${ratio.toFixed(2)} x, bound ${most} x`);
  return bounds.every(({ ratio, most }) => ratio <= most);
}
