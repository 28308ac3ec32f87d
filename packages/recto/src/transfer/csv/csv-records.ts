import type { ContentType } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { RecordText } from '../json/record-text.ts';
import type { TransferFile } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import type { CsvPlan } from './csv-plan.ts';
import { csvRows } from './csv-rows.ts';
import { cellValue, fieldsOf } from './csv-values.ts';

/** The rows of a file as records in JSON form. Throws a `TransferRefused` where the file has other columns than its plan. */
export async function* csvRecords(
  file: TransferFile,
  type: ContentType,
  plan: CsvPlan,
  read: (bytes: number) => void,
): AsyncGenerator<RecordText, void, undefined> {
  const fields = fieldsOf(type, plan);
  let isNames = true;
  for await (const { cells, line } of csvRows(file, plan, read)) {
    if (isNames) {
      requireColumns(
        file.name,
        plan,
        cells.map(({ text }) => text),
      );
      isNames = false;
      continue;
    }
    const record: Record<string, JsonValue> = {};
    const errors: string[] = [];
    if (cells.length !== fields.length)
      errors.push(`this line has ${cells.length} cells, and the first one ${fields.length}.`);
    for (const [index, field] of fields.entries()) {
      const cell = cells[index];
      if (field === undefined || cell === undefined) continue;
      const found = cellValue(field, cell, plan);
      if (found.kind === 'value') record[field.name] = found.value;
      if (found.kind === 'fault') errors.push(`${field.name}: ${found.message}`);
    }
    yield { text: JSON.stringify(record), line, ...(errors.length === 0 ? {} : { errors }) };
  }
}

function requireColumns(name: string, { columns }: CsvPlan, found: readonly string[]): void {
  const isPlanned = columns.length === found.length && columns.every(({ column }, index) => column === found[index]);
  if (isPlanned) return;
  throw new TransferRefused(
    `${name} has other columns than its plan: ${found.join(', ')} in place of ${columns.map(({ column }) => column).join(', ')}.`,
  );
}
