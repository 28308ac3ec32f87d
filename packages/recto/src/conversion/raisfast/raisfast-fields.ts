import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Report } from '../report.ts';

/** Options that have another name here, or none; what to write instead. */
const refused: ReadonlyMap<string, readonly [message: string, remedy: string]> = new Map([
  ['through', ['the table of pairs has a name of its own here', 'leave it out']],
  [
    'auto_fill',
    [
      'fields are not filled by themselves here',
      'leave the field out, and write implements = ["ownable"], whose created_by holds the account',
    ],
  ],
  ['accept', ['a media field has no accept', 'leave it out']],
  ['max_count', ['a media field has no max_count', 'leave it out']],
  ['media_config', ['a media field has no media_config', 'leave it out']],
]);

/** Types that are called differently here. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['mediaset', 'write type = "media" and multiple = true'],
  ['blob', 'write type = "media"'],
  ['string', 'write type = "text"'],
]);

const relationWords = ['relation_type', 'target', 'mapped_by'];
const otherRelations: ReadonlyMap<string, string> = new Map([
  ['one_way', 'many_to_one'],
  ['many_way', 'many_to_many'],
]);

/** The fields of RaisFast's `[fields.NAME]` as a list, and the columns that have another name than their field. */
export interface ReadFields {
  readonly fields: readonly Table[];
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<string, string>;
}

export function raisfastFields(tables: Table, report: Report): ReadFields {
  const columns = new Map<string, string>();
  const fields = Object.entries(tables).flatMap(([name, written]) => {
    if (!isTable(written)) {
      report(`fields.${name}`, 'must be a table', `write [fields.${name}] with type = "text"`);
      return [];
    }
    if (typeof written.foreign_key === 'string' && written.foreign_key !== name) columns.set(written.foreign_key, name);
    return [{ name, field: raisfastField(name, written, report) }];
  });
  return { fields: fields.map(({ field }) => field), names: fields.map(({ name }) => name), columns };
}

function raisfastField(name: string, written: Table, report: Report): Table {
  const field: Record<string, JsonValue> = { name };
  const relation: Record<string, JsonValue> = {};
  for (const [option, value] of Object.entries(written)) {
    const path = `fields.${name}.${option}`;
    const [message, remedy] = refused.get(option) ?? [];
    if (message !== undefined && remedy !== undefined) report(path, message, remedy);
    else if (relationWords.includes(option)) relation[option] = relationWord(option, value);
    else if (option === 'type') {
      if (isType(value, path, report)) field.field_type = value;
    } else if (option === 'name') report(path, 'the name stands in the heading', 'leave it out');
    // The column has the field's name here. Rules and indexes that name it are read as naming the field.
    else if (option !== 'foreign_key') field[option] = value;
  }
  if (Object.keys(relation).length > 0) field.relation = relation;
  if (written.type === 'decimal' && typeof field.default === 'number') field.default = String(field.default);
  return field;
}

/** Reports the names of types that are called differently here. */
function isType(value: JsonValue, path: string, report: Report): boolean {
  const other = typeof value === 'string' ? otherTypes.get(value) : undefined;
  if (other !== undefined) report(path, `${JSON.stringify(value)} is no field type`, other);
  return other === undefined;
}

const relationWord = (option: string, value: JsonValue): JsonValue =>
  option === 'relation_type' && typeof value === 'string' ? (otherRelations.get(value) ?? value) : value;
