import type { ContentType, Field } from '../../definition/content-type.ts';
import { isValue, kindOf } from '../../definition/stored-field.ts';
import type { TransferFile } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { isNumber } from './csv-cells.ts';
import { decoded, encodingOf } from './csv-encoding.ts';
import { type CsvPlan, importable } from './csv-plan.ts';
import { type CsvForm, type CsvRow, csvRows, csvSeparators } from './csv-rows.ts';

/** So many rows are looked at to find out how values are written. */
const looked = 1_000;

/** The plan for a file, as far as the file shows it; a person may change it. Throws a `TransferRefused` for a file without a line of names. */
export async function detectPlan(file: TransferFile, type: ContentType): Promise<CsvPlan> {
  const encoding = await encodingOf(file);
  const form: CsvForm = { encoding, separator: separatorOf(await firstLine(file, encoding)) };
  const rows: CsvRow[] = [];
  for await (const row of csvRows(file, form)) {
    rows.push(row);
    if (rows.length > looked) break;
  }
  const [names, ...values] = rows;
  if (names === undefined)
    throw new TransferRefused(`${file.name} is empty: the first line has the names of the columns.`);
  const columns = columnsOf(
    names.cells.map(({ text }) => text),
    type,
  );
  const textsOf = (wanted: (field: Field) => boolean): readonly string[] =>
    columns.flatMap(({ field }, index) => {
      const found = field === null ? undefined : type.field.get(field);
      return found !== undefined && wanted(found) ? values.map(({ cells }) => cells[index]?.text.trim() ?? '') : [];
    });
  const isTime = (field: Field) => isValue(field) && (kindOf(field) === 'date' || kindOf(field) === 'datetime');
  return {
    ...form,
    decimal: decimalOf(textsOf(isNumber)),
    dates: datesOf(textsOf(isTime)),
    key: columns.some(({ field }) => field === 'id') ? 'id' : null,
    existing: 'keep',
    columns,
  };
}

async function firstLine(file: TransferFile, encoding: CsvForm['encoding']): Promise<string> {
  let text = '';
  for await (const piece of decoded(file, encoding, () => undefined)) {
    text += piece;
    if (/[^\s][\r\n]/.test(text) || text.length > 65_536) break;
  }
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
}

/** What stands most often between the names. */
function separatorOf(line: string): CsvForm['separator'] {
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counted = csvSeparators.map((separator) => ({ separator, count: unquoted.split(separator).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).separator;
}

/** Each column with the field of the same name or label, written in any way. */
function columnsOf(names: readonly string[], type: ContentType): CsvPlan['columns'] {
  const fields = importable(type);
  const taken = new Set<string>();
  return names.map((column) => {
    const found =
      fields.find(({ name }) => name === column) ??
      fields.find(({ name, label }) =>
        [name, label].some((text) => text !== undefined && folded(text) === folded(column)),
      );
    if (found === undefined || taken.has(found.name)) return { column, field: null };
    taken.add(found.name);
    return { column, field: found.name };
  });
}

const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** A comma where it is followed by something else than three digits, or stands behind a point, and no point does. */
function decimalOf(texts: readonly string[]): CsvPlan['decimal'] {
  const commas = texts.filter((text) => /^[+-]?[\d.\s]*,\d+$/.test(text) && !/,\d{3}$/.test(text)).length;
  const points = texts.filter(
    (text) => /^[+-]?[\d,\s]*\.\d+$/.test(text) && !/^[+-]?\d{1,3}\.\d{3}$/.test(text),
  ).length;
  const isBehindPoints = texts.some((text) => /^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text));
  return (commas > 0 || isBehindPoints) && points === 0 ? ',' : '.';
}

/** The first number is the day where one of them is over 12, or points stand between them. */
function datesOf(texts: readonly string[]): CsvPlan['dates'] {
  const parts = texts.flatMap((text) => {
    const [, one, between, other] = /^(\d{1,2})([./-])(\d{1,2})[./-]\d{4}/.exec(text) ?? [];
    return one === undefined ? [] : [{ one: Number(one), other: Number(other), between }];
  });
  if (parts.length === 0) return 'iso';
  if (parts.some(({ one }) => one > 12)) return 'day_first';
  if (parts.some(({ other }) => other > 12)) return 'month_first';
  return parts.some(({ between }) => between === '/') ? 'month_first' : 'day_first';
}
