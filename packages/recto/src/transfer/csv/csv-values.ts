import type { ContentType, Field } from '../../definition/content-type.ts';
import { isToMany, isValue, kindOf } from '../../definition/stored-field.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { idSeparator, isJson, unmarked } from './csv-cells.ts';
import type { CsvPlan } from './csv-plan.ts';
import type { CsvCell } from './csv-rows.ts';

/** The value of a cell; `absent`: as if the file had no such cell; or what is wrong. */
export type CellValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly message: string };

const valued = (value: JsonValue): CellValue => ({ kind: 'value', value });
const wrong = (message: string): CellValue => ({ kind: 'fault', message });

type Writing = Pick<CsvPlan, 'decimal' | 'dates'>;

/** Reads a cell of a field's column. What the field does not accept is left to the checks of records. */
export function cellValue(field: Field, { text, isQuoted }: CsvCell, writing: Writing): CellValue {
  if (text === '' && !(isQuoted && isText(field))) return nothing(field);
  const plain = unmarked(text);
  if (isToMany(field)) return manyOf(plain);
  if (isJson(field)) return jsonOf(field, plain);
  if (!isValue(field)) return valued(plain.trim());
  return scalarOf(field, plain, writing);
}

/** A cell without a value empties a field that can be empty; any other gets what a new record has. */
function nothing(field: Field): CellValue {
  if (isToMany(field)) return valued([]);
  return field.required ? { kind: 'absent' } : valued(null);
}

const isText = (field: Field): boolean => isValue(field) && kindOf(field) === 'text';

function manyOf(text: string): CellValue {
  if (text.startsWith('[')) return parsedJson(text);
  return valued(
    text
      .split(idSeparator)
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  );
}

/** Words in a list, such as tags, may also stand as ids do. */
function jsonOf(field: Field, text: string): CellValue {
  if (!field.type.filteredByElement || text.trimStart().startsWith('[')) return parsedJson(text);
  return valued(
    text
      .split(idSeparator)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );
}

function parsedJson(text: string): CellValue {
  try {
    // What `JSON.parse` makes of a text is JSON.
    return valued(JSON.parse(text) as JsonValue);
  } catch (error) {
    return wrong(`this is no JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
}

function scalarOf(field: Field, text: string, { decimal, dates }: Writing): CellValue {
  switch (kindOf(field)) {
    case 'integer':
    case 'float': {
      const number = plainNumber(text, decimal);
      return number === undefined ? wrong(`“${text}” is no number.`) : valued(Number(number));
    }
    case 'bigint':
    case 'decimal': {
      const number = plainNumber(text, decimal);
      return number === undefined ? wrong(`“${text}” is no number.`) : valued(number);
    }
    case 'boolean': {
      const value = booleans.get(text.trim().toLowerCase());
      return value === undefined ? wrong(`“${text}” is neither yes nor no.`) : valued(value);
    }
    case 'date':
    case 'datetime':
      return valued(isoTime(text.trim(), dates, kindOf(field) === 'datetime'));
    default:
      return valued(text);
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1', 'on', 'x', 'wahr', 'ja', 'oui', 'vrai', 'sí', 'si'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0', 'off', 'falsch', 'nein', 'non', 'faux'].map((word) => [word, false] as const),
]);

/** A number as JSON writes it: without signs between thousands, with a point; undefined for what is none. */
export function plainNumber(text: string, decimal: CsvPlan['decimal']): string | undefined {
  const grouping = decimal === ',' ? '.' : ',';
  const bare = text
    .trim()
    .replace(/^\+/, '')
    .replace(/[\s\u00a0\u202f'’]/g, '');
  const [whole = '', ...rest] = bare.split(decimal);
  if (rest.length > 1) return undefined;
  const groups = whole.split(grouping);
  const isGrouped = groups.length > 1 && groups.every((group, index) => index === 0 || /^\d{3}$/.test(group));
  if (groups.length > 1 && !isGrouped) return undefined;
  const number = [groups.join(''), ...rest].join('.');
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number) ? number : undefined;
}

/** A date of the plan's form, in ISO form; any other text as it is. Times without a zone are of UTC. */
export function isoTime(text: string, dates: CsvPlan['dates'], isTime: boolean): string {
  const [, one, other, year, rest = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(.*)$/.exec(text) ?? [];
  const found = one === undefined || dates === 'iso' ? undefined : dates === 'day_first' ? [other, one] : [one, other];
  const [month = '', day = ''] = found ?? [];
  const date = found === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`;
  if (!isTime) return date;
  const [, dayOf, hour = '00', minute = '00', second = '00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T, ]+(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?\s*(Z|[+-]\d\d:\d\d)?)?$/.exec(date) ?? [];
  return dayOf === undefined ? date : `${dayOf}T${hour.padStart(2, '0')}:${minute}:${second}${zone}`;
}

/** The field of each column, in the order of the plan. */
export const fieldsOf = (type: ContentType, { columns }: CsvPlan): readonly (Field | undefined)[] =>
  columns.map(({ field }) => (field === null ? undefined : type.field.get(field)));
