import type { ContentType, Field } from '../definition/content-type.ts';
import { perType } from '../definition/per-type.ts';

const usualNames = ['title', 'name', 'label', 'headline', 'subject', 'slug'];

const longest = 200;

/** The field that a record is called by: the hint of its definition, one with a usual name, or the first text. */
export const titleFieldOf = perType(({ definition, fields, field }: ContentType): Field | undefined => {
  const hint = field.get(definition.admin?.title_field ?? '');
  const own = fields.filter(({ origin, type }) => origin !== 'engine' && ['text', 'uid'].includes(type.name));
  return hint ?? usualNames.map((name) => own.find((each) => each.name === name)).find(Boolean) ?? own[0];
});

/** A value as the title of its record; null where it says nothing. */
export function titleText(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (text === '') return null;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
