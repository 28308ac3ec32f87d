/** A value in a condition: one that is written, or what is found in a field of the record. */
export type ConditionOperand =
  | { readonly value: unknown }
  | {
      readonly field: string;
      readonly path?: readonly string[];
      readonly of?: 'length' | 'is_set' | 'items';
      readonly lower?: true;
    };

/** The rule on which it depends whether a field is shown, as the service returns it: see `show_if` of content types. */
export type Condition =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | {
      readonly in: readonly unknown[];
      readonly not: boolean;
      readonly kind: string;
      readonly operand: ConditionOperand;
    }
  | {
      readonly operator: string;
      readonly kind: string;
      readonly left: ConditionOperand;
      readonly right: ConditionOperand;
    };

/** A field that may have a condition. */
interface ConditionalField {
  readonly name: string;
  readonly show_if?: { readonly condition: Condition } | null;
}

/** The fields that are not shown with these values. What is not shown counts as empty for other fields. */
export function hiddenFields(
  fields: readonly ConditionalField[],
  values: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const conditions = new Map(fields.flatMap(({ name, show_if: shown }) => (shown ? [[name, shown.condition]] : [])));
  const known = new Map<string, boolean>();
  const isHidden = (name: string): boolean => {
    const condition = conditions.get(name);
    if (condition === undefined) return false;
    const found = known.get(name) ?? !holds(condition, (other) => (isHidden(other) ? null : (values[other] ?? null)));
    known.set(name, found);
    return found;
  };
  return new Set([...conditions.keys()].filter(isHidden));
}

type Read = (field: string) => unknown;

/** Whether a condition holds for a record: the same answer as that of the service. */
export function holds(condition: Condition, read: Read): boolean {
  if ('and' in condition) return condition.and.every((term) => holds(term, read));
  if ('or' in condition) return condition.or.some((term) => holds(term, read));
  if ('in' in condition) {
    const { kind, operand, not } = condition;
    const [value] = valuesOf(operand, kind, read);
    return condition.in.some((item) => isEqual(kind, value, item)) !== not;
  }
  const { operator, kind, left, right } = condition;
  // One value of each side, but of items in JSON each.
  return valuesOf(left, kind, read).some((a) =>
    valuesOf(right, kind, read).some((b) => decide(operator, kind, a, 'value' in right ? b : escaped(operator, b))),
  );
}

/** What compares; null for nothing, undefined for what is not of the kind: equal to nothing. */
function valuesOf(operand: ConditionOperand, kind: string, read: Read): readonly unknown[] {
  if ('value' in operand) return [operand.value];
  const { field, path, of, lower } = operand;
  if (of === 'items') {
    let items = itemsOf(read(field));
    for (const key of path ?? []) items = items.flatMap((item) => itemsOf(memberOf(item, key)));
    return items.filter((item) => item !== null).map((item) => lowered(lower, ofKind(item, kind)));
  }
  let value: unknown = read(field) ?? null;
  for (const key of path ?? []) value = memberOf(value, key);
  if (of === 'is_set') return [value !== null];
  if (of === 'length') return [lengthOf(value)];
  return [lowered(lower, ofKind(value, kind))];
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value]);

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) return null;
  // An object of JSON.
  return (value as Readonly<Record<string, unknown>>)[key] ?? null;
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : 0;

const lowered = (lower: true | undefined, value: unknown): unknown =>
  lower && typeof value === 'string' ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value;

function ofKind(value: unknown, kind: string): unknown {
  if (value === null) return null;
  const type = kind === 'boolean' ? 'boolean' : kind === 'integer' || kind === 'float' ? 'number' : 'string';
  // Integers of 64 bits are texts.
  return typeof value === type ? value : undefined;
}

const isEqual = (kind: string, a: unknown, b: unknown): boolean =>
  (a === null && b === null) || compare(kind, a, b) === 0;

function decide(operator: string, kind: string, a: unknown, b: unknown): boolean {
  switch (operator) {
    case '=':
      return isEqual(kind, a, b);
    case '!=':
      return !isEqual(kind, a, b);
    case '~':
      return isLike(a, b);
    case '!~':
      return !isLike(a, b);
  }
  const order = compare(kind, a, b);
  if (order === undefined) return false;
  if (order === 0) return operator.endsWith('=');
  return order < 0 === operator.startsWith('<');
}

/** Undefined: they do not compare. */
function compare(kind: string, a: unknown, b: unknown): number | undefined {
  if (a === null || a === undefined || b === null || b === undefined) return undefined;
  if (a === b) return 0;
  if (kind === 'decimal') return difference(...scaled(String(a), String(b)));
  if (kind === 'bigint' || kind === 'integer' || kind === 'float') return difference(numeric(a), numeric(b));
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);
}

const difference = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** A whole number of 64 bits is written as text. */
const numeric = (value: unknown): number | bigint =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : Number(value);

/** Two decimals as whole numbers of the same scale. */
function scaled(a: string, b: string): [bigint, bigint] {
  const places = Math.max(...[a, b].map((text) => (text.split('.')[1] ?? '').length));
  const whole = (text: string): bigint => {
    const [before = '', after = ''] = text.split('.');
    return /^-?\d+$/.test(before) ? BigInt(before + after.padEnd(places, '0')) : 0n;
  };
  return [whole(a), whole(b)];
}

/** By code point. */
function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at < 0) return left.length - right.length;
  const other = right[at];
  return other === undefined ? 1 : (left[at]?.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
}

/** What a record holds was not written as a pattern: `\` stands for itself. */
const escaped = (operator: string, value: unknown): unknown =>
  operator.includes('~') && typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value;

/** SQL LIKE, in which letter case is ignored for A to Z. */
function isLike(text: unknown, pattern: unknown): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string' || [...pattern].length > 10_000) return false;
  const expression = pattern.replace(/\\([%_\\])|[\s\S]/gu, (found, literal: string | undefined) => {
    if (literal === undefined && found === '%') return '[^]*';
    if (literal === undefined && found === '_') return '[^]';
    const character = literal ?? found;
    if (/[A-Za-z]/.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
    return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${expression}$`, 'u').test(text);
}
