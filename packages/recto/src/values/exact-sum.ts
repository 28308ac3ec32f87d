/** An exact number: `units` × 10^-`scale`. */
export interface ExactNumber {
  readonly units: bigint;
  readonly scale: number;
}

/** Digits that an average has after its point at most. */
export const averageDigits = 20;

/** A number in plain notation, of any length; undefined for anything else. */
export function exactNumber(text: string): ExactNumber | undefined {
  const [, sign, before, after = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (before === undefined) return undefined;
  return { units: BigInt(`${sign}${before}${after}`), scale: after.length };
}

/** The number divided by a count, rounded half away from zero to `averageDigits` after the point. */
export function average({ units, scale }: ExactNumber, count: number): ExactNumber {
  const raised = units * 10n ** BigInt(averageDigits);
  const divisor = BigInt(count) * 10n ** BigInt(scale);
  const size = raised < 0n ? -raised : raised;
  const rounded = (2n * size + divisor) / (2n * divisor);
  return { units: raised < 0n ? -rounded : rounded, scale: averageDigits };
}

/** Negative, zero or positive. */
export function compareExact(a: ExactNumber, b: ExactNumber): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [a, b].map((one) => one.units * 10n ** BigInt(scale - one.scale));
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? -1 : 1;
}

/** In plain notation, without superfluous zeros. */
export function exactText({ units, scale }: ExactNumber): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const after = digits.slice(digits.length - scale).replace(/0+$/, '');
  const before = digits.slice(0, digits.length - scale);
  const text = scale === 0 || after === '' ? before : `${before}.${after}`;
  return units < 0n ? `-${text}` : text;
}
