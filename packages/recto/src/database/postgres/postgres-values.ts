import type { SqlValue } from '../../base/bindings.ts';
import { canonicalDecimal } from '../../values/decimal.ts';
import type { JsonValue, Scalar, ValueKind } from '../../values/value-kind.ts';

/** Text sorts and compares by code point, whatever the locale of the database. */
const text = 'text COLLATE "C"';

/**
 * Times are canonical text, whose order is that of time: PostgreSQL's own types have no year 0 and print by the session's
 * settings. JSON is text too, for `jsonb` sorts keys and drops what it does not need: responses contain what was sent.
 */
export const postgresColumnTypes = {
  text,
  integer: 'bigint',
  bigint: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  datetime: text,
  date: text,
  time: text,
  json: text,
} satisfies Record<ValueKind, string>;

/**
 * A canonical value as it is bound. Parameters travel as text and get their type from where they stand, so that every one
 * of them must be in the form that the column's type reads. Throws a `RangeError` for a bigint of more than 64 bits.
 */
export function encodePostgres(kind: ValueKind, value: Scalar | JsonValue): SqlValue {
  switch (kind) {
    case 'json':
      return JSON.stringify(value);
    case 'bigint':
      return int64(value);
    case 'integer':
    case 'float':
      return Number(value);
    case 'boolean':
    case 'decimal':
    case 'text':
    case 'datetime':
    case 'date':
    case 'time':
      return String(value);
  }
}

/** What a column gave, in canonical form. Never called with null. */
export function decodePostgres(kind: ValueKind, stored: SqlValue): Scalar | JsonValue {
  switch (kind) {
    case 'json':
      // The column only ever gets what `encodePostgres` made.
      return JSON.parse(String(stored)) as JsonValue;
    case 'decimal':
      return canonicalDecimal(String(stored)) ?? String(stored);
    case 'bigint':
      return BigInt(String(stored));
    case 'boolean':
      return String(stored) === 'true';
    case 'integer':
    case 'float':
      return Number(stored);
    case 'text':
    case 'datetime':
    case 'date':
    case 'time':
      return String(stored);
  }
}

function int64(value: Scalar | JsonValue): bigint {
  const exact = BigInt(String(value));
  if (BigInt.asIntN(64, exact) !== exact) throw new RangeError(`${exact} does not fit into 64 bits.`);
  return exact;
}
