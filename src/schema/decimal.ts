/** Exact division of the decimal numbers that JSON writes: 0.3 is a multiple of 0.1, whatever the binary says. */

/** Whether `value` is a whole multiple of `divisor`, both taken as the decimals they are printed as. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [a, b] = [decimal(value), decimal(divisor)];
  // The exponents of doubles differ by less than 700, so these stay small.
  const shift = Math.min(a.exponent, b.exponent);
  return scaled(a, shift) % scaled(b, shift) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const scaled = ({ digits, exponent }: Decimal, shift: number): bigint =>
  digits * 10n ** BigInt(exponent - shift);
