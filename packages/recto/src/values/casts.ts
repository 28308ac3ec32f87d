import { canonicalDecimal } from './decimal.ts';
import { kinds } from './kinds.ts';
import type { JsonValue, Scalar, ScalarKind, ValueKind } from './value-kind.ts';

type Value = Scalar | JsonValue;

/** Converts a canonical value of one kind to another; undefined where that is impossible. */
type Cast<From> = (value: From) => Value | undefined;

const asText = (value: Scalar): string => String(value);

/** Accepts only text in the value's canonical form: any other would not survive a round trip. */
const fromText =
  (kind: ScalarKind): Cast<Scalar> =>
  (text) =>
    kinds[kind].fromText(String(text));

const asBigint = (value: Scalar): bigint | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;

const asSafeInteger = (value: Scalar): Scalar | undefined => kinds.integer.fromJson(Number(value));

const asFloat = (value: Scalar): Scalar | undefined => kinds.float.fromJson(Number(value));

/** The shortest text that reads as the same double; with an exponent only for integers. */
const floatAsDecimal = (value: Scalar): string | undefined =>
  canonicalDecimal(Number.isInteger(value) ? String(BigInt(Number(value))) : String(value));

/** JSON carries these as they are; the other kinds travel as strings. */
const asJson = (value: Scalar): JsonValue => (typeof value === 'bigint' ? String(value) : value);

const fromJson =
  (kind: ScalarKind): Cast<JsonValue> =>
  (value) =>
    kinds[kind].fromJson(value);

/** Casts by source kind and target kind. A missing pair is never lossless. */
const scalarCasts: { readonly [From in ScalarKind]: Partial<Readonly<Record<ValueKind, Cast<Scalar>>>> } = {
  text: {
    integer: fromText('integer'),
    bigint: fromText('bigint'),
    float: fromText('float'),
    decimal: fromText('decimal'),
    boolean: fromText('boolean'),
    datetime: fromText('datetime'),
    date: fromText('date'),
    time: fromText('time'),
    json: asJson,
  },
  integer: {
    text: asText,
    bigint: asBigint,
    float: asFloat,
    decimal: asText,
    boolean: (value) => (value === 0 || value === 1 ? value === 1 : undefined),
    json: asJson,
  },
  bigint: { text: asText, integer: asSafeInteger, float: asFloat, decimal: asText, json: asJson },
  float: { text: asText, integer: asSafeInteger, bigint: asBigint, decimal: floatAsDecimal, json: asJson },
  decimal: { text: asText, integer: asSafeInteger, bigint: fromText('bigint'), float: asFloat, json: asJson },
  boolean: { text: asText, integer: Number, json: asJson },
  datetime: { text: asText, date: (value) => String(value).slice(0, 10), json: asJson },
  date: { text: asText, datetime: (value) => `${value}T00:00:00.000Z`, json: asJson },
  time: { text: asText, json: asJson },
};

const jsonCasts: Readonly<Record<ScalarKind, Cast<JsonValue>>> = {
  text: fromJson('text'),
  integer: fromJson('integer'),
  bigint: fromJson('bigint'),
  float: fromJson('float'),
  decimal: fromJson('decimal'),
  boolean: fromJson('boolean'),
  datetime: fromJson('datetime'),
  date: fromJson('date'),
  time: fromJson('time'),
};

/** Whether some values of one kind can be cast to the other. */
export const isCast = (from: ValueKind, to: ValueKind): boolean => from === to || castOf(from, to) !== undefined;

/**
 * A canonical value of kind `from` as one of kind `to`; undefined unless casting back gives the same value. The
 * representation may change (`true` becomes `1`), but nothing is lost.
 */
export function castValue(from: ValueKind, to: ValueKind, value: Value): Value | undefined {
  if (from === to) return value;
  const cast = castOf(from, to)?.(value);
  if (cast === undefined) return undefined;
  const back = castOf(to, from)?.(cast);
  return Object.is(back, value) ? cast : undefined;
}

function castOf(from: ValueKind, to: ValueKind): Cast<Value> | undefined {
  if (from === 'json') {
    // A cast of JSON takes any JSON value, which is all that a JSON column holds.
    return to === 'json' ? undefined : (jsonCasts[to] as Cast<Value>);
  }
  // Columns of a scalar kind hold scalars of that kind alone.
  return scalarCasts[from][to] as Cast<Value> | undefined;
}
