import type { Kind } from './value-kind.ts';

/** Digits that a decimal may have before and after its point, superfluous zeros not counted. */
export const decimalLimits = { before: 60, after: 40 } as const;

const plain = /^(-?)(\d+)(?:\.(\d+))?$/;

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The canonical form of a number in plain notation (`-012.50` → `-12.5`, `-0` → `0`); undefined for anything else. */
export function canonicalDecimal(text: string): string | undefined {
  const parts = plain.exec(text);
  if (parts === null) return undefined;
  const before = (parts[2] ?? '').replace(/^0+/, '');
  const after = withoutTrailingZeros(parts[3] ?? '');
  if (before.length > decimalLimits.before || after.length > decimalLimits.after) return undefined;
  const magnitude = `${before === '' ? '0' : before}${after === '' ? '' : `.${after}`}`;
  return magnitude === '0' ? '0' : `${parts[1]}${magnitude}`;
}

interface DecimalParts {
  readonly negative: boolean;
  readonly before: string;
  readonly after: string;
}

function split(canonical: string): DecimalParts {
  const negative = canonical.startsWith('-');
  const [before = '', after = ''] = canonical.slice(negative ? 1 : 0).split('.');
  return { negative, before, after };
}

function compareDigits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareMagnitudes(a: DecimalParts, b: DecimalParts): number {
  return a.before.length - b.before.length || compareDigits(a.before, b.before) || compareDigits(a.after, b.after);
}

/** Compares two canonical decimals exactly. */
export function compareDecimals(a: string, b: string): number {
  const left = split(a);
  const right = split(b);
  if (left.negative !== right.negative) return left.negative ? -1 : 1;
  return left.negative ? compareMagnitudes(right, left) : compareMagnitudes(left, right);
}

/**
 * A text that sorts, byte by byte, as the number does, for databases without exact decimals: `<key> <canonical>`.
 * The key is a sign (0 negative, 1 not), the two-digit count of digits before the point, then all digits. The space after it
 * sorts before a digit, so that 1 comes before 1.5. A negative number's digits are complemented to 9, and `~` ends them,
 * which sorts after a digit, so that -1.5 comes before -1.
 */
export function sortableDecimal(canonical: string): string {
  const { negative, before, after } = split(canonical);
  const digits = `${String(before.length).padStart(2, '0')}${before}${after}`;
  if (!negative) return `1${digits} ${canonical}`;
  return `0${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~ ${canonical}`;
}

/** The canonical decimal from the result of `sortableDecimal`. */
export const plainDecimal = (sortable: string): string => sortable.slice(sortable.indexOf(' ') + 1);

/** Exact decimal numbers. They travel as strings: a JSON number would already have been rounded by most readers. */
export const decimalKind: Kind = {
  fromJson: (value) => (typeof value === 'string' ? canonicalDecimal(value) : undefined),
  fromText: canonicalDecimal,
  compare: (a, b) => compareDecimals(String(a), String(b)),
  ordered: true,
};
