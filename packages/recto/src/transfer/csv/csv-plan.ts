import Type, { type Static } from 'typebox';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { isInverse, kindOf } from '../../definition/stored-field.ts';
import { isUnique } from '../../definition/type-facts.ts';
import { CompiledSchema } from '../../values/compiled-schema.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { csvEncodings } from './csv-encoding.ts';
import { csvSeparators } from './csv-rows.ts';

const strict = { additionalProperties: false };

/** How a file is read: what its columns are, and how its values are written. */
export const csvPlanSchema = Type.Object(
  {
    encoding: Type.Enum([...csvEncodings], { description: 'Of the file.' }),
    separator: Type.Enum([...csvSeparators], { description: 'Between cells.' }),
    decimal: Type.Enum(['.', ','], { description: 'The decimal sign of numbers.' }),
    dates: Type.Enum(['iso', 'day_first', 'month_first'], {
      description:
        '`iso`: 2026-11-21; `day_first`: 21.11.2026 or 21/11/2026; `month_first`: 11/21/2026. ISO dates are always read.',
    }),
    key: Type.Union([Type.String(), Type.Null()], {
      description:
        'The field by which a row is matched with a record: `id`, or a unique field. Null: no row is matched.',
    }),
    existing: Type.Enum(['keep', 'update'], {
      description:
        'What happens to a record that a row is matched with: it stays as it is, or gets the values of the row.',
    }),
    columns: Type.Array(
      Type.Object(
        {
          column: Type.String({ description: 'The name in the first line.' }),
          field: Type.Union([Type.String(), Type.Null()], { description: 'The field that it fills; null: none.' }),
        },
        strict,
      ),
      { description: 'In the order of the file.', maxItems: 1_000 },
    ),
  },
  { $id: 'CsvPlan', ...strict },
);

export type CsvPlan = Static<typeof csvPlanSchema>;

const check = new CompiledSchema(csvPlanSchema);

/** An error in a plan; `field` is a path in it. */
export interface PlanFault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** What is wrong with a plan for a type. */
export function planFaults(plan: unknown, type: ContentType): readonly PlanFault[] {
  const shape = check.faults(plan);
  if (shape.length > 0) return shape;
  // What the schema accepts.
  const { columns, key, existing } = plan as CsvPlan;
  const faults: PlanFault[] = [];
  const named = new Set<string>();
  for (const [index, { field }] of columns.entries()) {
    if (field === null) continue;
    const place = `columns[${index}].field`;
    if (!importable(type).some(({ name }) => name === field))
      faults.push({
        field: place,
        code: 'unknown_field',
        message: `${type.singular} has no field ${field} that a file can fill.`,
      });
    else if (named.has(field)) faults.push({ field: place, code: 'taken', message: `Another column fills ${field}.` });
    named.add(field);
  }
  if (key === null && existing === 'update')
    faults.push({
      field: 'key',
      code: 'required',
      message: 'Updates need a key, by which rows are matched with records.',
    });
  if (key === null) return faults;
  if (!keysOf(type).includes(key))
    faults.push({ field: 'key', code: 'invalid', message: `Must be one of ${keysOf(type).join(', ')}.` });
  else if (!named.has(key)) faults.push({ field: 'key', code: 'invalid', message: `No column fills ${key}.` });
  return faults;
}

/** Reads a plan. Throws a `TransferRefused` that names all errors. */
export function readPlan(text: string, name: string, type: ContentType): CsvPlan {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (error) {
    throw new TransferRefused(`${name} is no JSON (${error instanceof Error ? error.message : String(error)}).`, error);
  }
  const faults = planFaults(plan, type);
  if (faults.length > 0)
    throw new TransferRefused([`${name}:`, ...faults.map(({ field, message }) => `  ${field}: ${message}`)].join('\n'));
  // Checked above.
  return plan as CsvPlan;
}

/** The fields that a column can fill: what an import takes, but for hashes of passwords. */
export const importable = ({ fields }: ContentType): readonly Field[] =>
  fields.filter((field) => !isInverse(field) && field.computed !== true && !field.type.secret);

/** The fields by which rows can be matched with records. Values that are unique in each tenant alone are no key. */
export const keysOf = (type: ContentType): readonly string[] =>
  importable(type)
    .filter((field) => field.name === 'id' || (type.partition === null && isUnique(field) && kindOf(field) === 'text'))
    .map(({ name }) => name);
