import { jsonFault } from '../../definition/fields/json-value.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type ForeignFile, type ForeignValue, TextWithFiles } from '../importers/foreign-value.ts';

/** A value that cannot be brought in. */
export class BadValue extends Error {}

/** The file of that id; undefined: the export has none. */
export type FileOf = (id: string) => ForeignFile | undefined;

/** A value of a field that is no relation, by the type of field that it goes to. Throws a `BadValue`. */
export function plainValue(
  value: JsonValue | undefined,
  { field_type: type, format }: Table,
  fileOf: FileOf,
): ForeignValue {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'richtext':
      return typeof value === 'string' ? (format === 'markdown' ? value : withFiles(value, fileOf)) : json(value);
    case 'text':
      return typeof value === 'string' ? value : scalar(value);
    case 'enum':
      return value === '' ? null : scalar(value);
    case 'datetime':
      return moment(value);
    case 'list':
      return typeof value === 'string' ? value.split(',').filter((each) => each !== '') : json(value);
    case 'boolean':
      return typeof value === 'number' ? value !== 0 : json(value);
    case 'integer':
    case 'float':
      return typeof value === 'string' && value !== '' ? Number(value) : json(value);
    case 'bigint':
    case 'decimal':
      return String(value);
    default:
      return json(value);
  }
}

function scalar(value: JsonValue): string {
  if (typeof value === 'object') throw new BadValue('it holds no text.');
  return String(value);
}

function json(value: JsonValue): ForeignValue {
  const fault = jsonFault(value);
  if (fault !== undefined) throw new BadValue(fault.message);
  // True because JSON is a value of a source without references.
  return value as ForeignValue;
}

/** A canonical datetime; undefined: it is none. A time without a zone is one of UTC. */
export function momentOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) || !value.includes(':');
  const time = new Date(hasZone ? value : `${value.replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function moment(value: JsonValue): ForeignValue {
  if (value === '') return null;
  const found = momentOf(value);
  if (found === undefined) throw new BadValue(`${JSON.stringify(value)} is no time.`);
  return found;
}

/** The id of a related record, which can be there as a whole. */
export function idIn(value: JsonValue | undefined, key = 'id'): string | undefined {
  const id = isTable(value) ? value[key] : value;
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined;
}

const fileAddress =
  /(?:https?:\/\/[^\s"'<>()/]+)?\/assets\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[./][^\s"'<>()?#]*)?(?:\?[^\s"'<>()#]*)?/gi;

/** HTML with the addresses of files in it. */
function withFiles(html: string, fileOf: FileOf): ForeignValue {
  const pieces: (string | { readonly file: ForeignFile; readonly otherwise: string })[] = [];
  let end = 0;
  for (const match of html.matchAll(fileAddress)) {
    const file = fileOf((match[1] ?? '').toLowerCase());
    if (file === undefined) continue;
    pieces.push(html.slice(end, match.index), { file, otherwise: match[0] });
    end = match.index + match[0].length;
  }
  return pieces.length === 0 ? html : new TextWithFiles([...pieces, html.slice(end)]);
}
