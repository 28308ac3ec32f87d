import type { SqlValue } from '../../base/bindings.ts';
import { plainDecimal, sortableDecimal } from '../../values/decimal.ts';
import type { JsonValue, Scalar, ValueKind } from '../../values/value-kind.ts';

/**
 * `BIGINT` has the affinity of INTEGER (https://sqlite.org/datatype3.html#determination_of_column_affinity); the
 * connection knows by it which columns to read exactly.
 */
export const sqliteColumnTypes = {
  text: 'TEXT',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  float: 'REAL',
  decimal: 'TEXT',
  boolean: 'INTEGER',
  datetime: 'TEXT',
  date: 'TEXT',
  time: 'TEXT',
  json: 'TEXT',
} satisfies Record<ValueKind, string>;

/**
 * A canonical value as SQLite stores it: booleans as 1 and 0, decimals as a text that sorts as the number does,
 * JSON as text, the rest as it is. Throws a `RangeError` for a bigint of more than 64 bits.
 */
export function encodeSqlite(kind: ValueKind, value: Scalar | JsonValue): SqlValue {
  switch (kind) {
    case 'json':
      return JSON.stringify(value);
    case 'decimal':
      return sortableDecimal(String(value));
    case 'bigint':
      return int64(value);
    case 'boolean':
      return value === true ? 1 : 0;
    case 'integer':
    case 'float':
      return Number(value);
    case 'text':
    case 'datetime':
    case 'date':
    case 'time':
      return String(value);
  }
}

/** What a column gave, in canonical form. Never called with null. */
export function decodeSqlite(kind: ValueKind, stored: SqlValue): Scalar | JsonValue {
  switch (kind) {
    case 'json':
      // The column only ever gets what `encodeSqlite` made.
      return JSON.parse(String(stored)) as JsonValue;
    case 'decimal':
      return plainDecimal(String(stored));
    case 'bigint':
      return BigInt(String(stored));
    case 'boolean':
      return Number(stored) === 1;
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

/** The driver would silently wrap a larger one around. */
function int64(value: Scalar | JsonValue): bigint {
  const exact = BigInt(String(value));
  if (BigInt.asIntN(64, exact) !== exact) throw new RangeError(`${exact} does not fit into 64 bits.`);
  return exact;
}
