import type { FieldInfo } from './field.ts';
import type { FormContext } from './form-context.ts';
import { objectOf } from './group/object-of.ts';

const longest = 120;

/** One line for a collapsed item: the first of its fields that has words, those inside groups included. */
export function summaryOf(form: FormContext, fields: readonly FieldInfo[], item: unknown): string {
  const members = objectOf(item);
  for (const field of fields) {
    const value = members[field.name];
    if (value === undefined || value === null || value === '') continue;
    const line = field.fields.length > 0 ? summaryOf(form, field.fields, value) : form.fieldType(field).summary(value);
    if (line !== '') return line.length > longest ? `${line.slice(0, longest)}…` : line;
  }
  return '';
}

/** What a new item begins as: the defaults of the definition. */
export function initialOf(item: FieldInfo | undefined, fields: readonly FieldInfo[]): unknown {
  if (item !== undefined) return item.options.default ?? null;
  const given = fields.filter(({ options }) => options.default !== undefined);
  return Object.fromEntries(given.map(({ name, options }) => [name, options.default]));
}
