import { childPath } from '../values/field-path.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { Report } from './type-draft.ts';

/** Deeper than any definition with a default of JSON can be; a value that contains itself ends here too. */
const deepest = 100;

/**
 * A deep copy as plain JSON, so that a definition is the same however it was written: TOML's dates become their text,
 * bigints their digits, and what is `undefined` is left out. What is no data at all is reported and becomes null.
 */
export function plainDefinition(value: unknown, report: Report, path = '', depth = 0): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : plainObject(value, report, path, depth);
    case 'undefined':
      report(path, 'there is nothing', 'write text, a number, true, false, a list or a table');
      return null;
    default:
      report(path, `is a ${typeof value}, which is not data`, 'write text, a number, true, false, a list or a table');
      return null;
  }
}

function plainObject(value: object, report: Report, path: string, depth: number): JsonValue {
  if (depth >= deepest) {
    report(path, `is nested deeper than ${deepest} levels`, 'write it flatter');
    return null;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (Array.isArray(value)) {
    return value.map((item, index) => plainDefinition(item, report, `${path}[${index}]`, depth + 1));
  }
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => [key, plainDefinition(inner, report, childPath(path, key), depth + 1)]);
  return Object.fromEntries(entries);
}
