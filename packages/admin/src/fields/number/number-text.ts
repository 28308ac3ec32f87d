/** What a text means as a number: the value as the service takes it, null where it is empty, or what is wrong. */
export type ReadNumber<V> = { readonly value: V | null } | { readonly issue: 'number' | 'whole' | 'range' | 'digits' };

const empty = { value: null } as const;

/** Minus signs and spaces that people paste, as the plain ones. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/^[\u2212\u2013]/, '-')
    .replace(/^\+/, '');

/** Whole numbers that a JSON number holds exactly. */
export function readInteger(text: string): ReadNumber<number> {
  const digits = plain(text);
  if (digits === '') return empty;
  if (!/^-?\d+$/.test(digits)) return { issue: /^-?\d*[.,]\d+$/.test(digits) ? 'whole' : 'number' };
  const value = Number(digits);
  // -0 is the same whole number as 0, and JSON writes it so.
  return Number.isSafeInteger(value) ? { value: value === 0 ? 0 : value } : { issue: 'range' };
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** 64-bit whole numbers, as text: a JSON number would lose digits. */
export function readBigint(text: string): ReadNumber<string> {
  const digits = plain(text);
  if (digits === '') return empty;
  const parts = /^(-?)0*(\d+)$/.exec(digits);
  if (parts === null) return { issue: /^-?\d*[.,]\d+$/.test(digits) ? 'whole' : 'number' };
  const [, sign = '', magnitude = ''] = parts;
  if (magnitude.length > 19) return { issue: 'range' };
  const value = BigInt(`${sign}${magnitude}`);
  return value >= smallest && value <= largest ? { value: value.toString() } : { issue: 'range' };
}

/** The digits that the service keeps of a decimal. */
export const decimalLimits = { before: 60, after: 40 } as const;

/** Exact decimals, as text in the form that the service returns: `-012.50` is `-12.5`. Never goes through a number. */
export function readDecimal(text: string): ReadNumber<string> {
  const typed = plain(text);
  if (typed === '') return empty;
  const parts = /^(-?)(\d*)(?:\.(\d*))?$/.exec(typed);
  if (parts === null || !/\d/.test(typed)) return { issue: 'number' };
  const before = (parts[2] ?? '').replace(/^0+/, '');
  const after = (parts[3] ?? '').replace(/0+$/, '');
  if (before.length > decimalLimits.before || after.length > decimalLimits.after) return { issue: 'digits' };
  const magnitude = `${before === '' ? '0' : before}${after === '' ? '' : `.${after}`}`;
  return { value: magnitude === '0' ? '0' : `${parts[1]}${magnitude}` };
}

/** Floating point numbers: finite, in plain or scientific notation. */
export function readFloat(text: string): ReadNumber<number> {
  const typed = plain(text);
  if (typed === '') return empty;
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(typed)) return { issue: 'number' };
  const value = Number(typed);
  return Number.isFinite(value) ? { value: value === 0 ? 0 : value } : { issue: 'range' };
}
