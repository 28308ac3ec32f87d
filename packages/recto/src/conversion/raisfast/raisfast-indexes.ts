import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Report } from '../report.ts';

export interface ReadIndexes {
  /** Fields that are unique by themselves, and those that an index begins with. */
  readonly unique: ReadonlySet<string>;
  readonly indexed: ReadonlySet<string>;
  readonly sets: readonly (readonly string[])[];
  /** Where each of the sets is written. */
  readonly places: readonly string[];
}

/** `[[indexes]]`: what is unique stays unique; of others, the first field is indexed, and the service makes the rest itself. */
export function raisfastIndexes(
  indexes: JsonValue | undefined,
  columns: ReadonlyMap<string, string>,
  report: Report,
): ReadIndexes {
  const read = {
    unique: new Set<string>(),
    indexed: new Set<string>(),
    sets: [] as string[][],
    places: [] as string[],
  };
  if (indexes === undefined) return read;
  if (!Array.isArray(indexes))
    report('indexes', 'must be a list of tables', 'write [[indexes]] with fields = ["slug"]');
  for (const [index, entry] of (Array.isArray(indexes) ? indexes : []).entries()) {
    const names = fieldsOf(entry, columns);
    const [first] = names;
    if (first === undefined) report(`indexes[${index}]`, 'names no fields', 'write fields = ["slug"]');
    else if (!isTable(entry) || entry.unique !== true) read.indexed.add(first);
    else if (names.length === 1) read.unique.add(first);
    else {
      read.sets.push([...names]);
      read.places.push(`indexes[${index}].fields`);
    }
  }
  return read;
}

function fieldsOf(entry: JsonValue, columns: ReadonlyMap<string, string>): readonly string[] {
  const names = isTable(entry) && Array.isArray(entry.fields) ? entry.fields : [];
  return names.flatMap((name) => (typeof name === 'string' ? [columns.get(name) ?? name] : []));
}

/** Texts that an index cannot hold are looked for without one. */
const canBeIndexed = ({ field_type: type, max_length: most, relation }: Table): boolean =>
  type === 'text' || type === 'richtext'
    ? typeof most === 'number' && most <= 500
    : type !== 'json' &&
      type !== 'password' &&
      !(isTable(relation) && String(relation.relation_type).endsWith('_many'));

/** The fields with what indexes say of them. An index on a column that a protocol keeps needs nothing. */
export const withIndexes = (fields: readonly Table[], { unique, indexed }: ReadIndexes): readonly Table[] =>
  fields.map((field) => {
    const name = String(field.name);
    if (unique.has(name)) return { ...field, unique: true };
    return indexed.has(name) && field.unique !== true && canBeIndexed(field) ? { ...field, indexed: true } : field;
  });
