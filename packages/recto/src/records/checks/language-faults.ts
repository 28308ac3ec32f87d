import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { localizedFields } from '../../definition/stored-field.ts';
import { shownConditions } from './shown-fields.ts';

/** A record as one language says it, with what all of them share: its values by the names of fields. */
type Said = (name: string) => FieldValue | null | undefined;

/**
 * What a language lacks to be published, of a type whose languages are published one by one: every required value, and at least one.
 * Nothing where it is not published. `base`: the type as it is stored.
 */
export function languageFaults(base: ContentType, tag: string, said: Said): readonly FieldFault[] {
  const published = publishedInLanguage(base);
  if (published === undefined || said(published.column) !== published.value) return [];
  const lacking = (field: Field): boolean => isEmpty(said(field.name) ?? null);
  const fields = localizedFields(base);
  const values = Object.fromEntries(base.fields.map(({ name }) => [name, said(name) ?? null]));
  const conditional = shownConditions(base.conditions, values).filter(({ required }) => required);
  const required = new Set([...fields.filter((field) => field.required), ...conditional.map(({ field }) => field)]);
  const missing = fields.filter((field) => required.has(field) && lacking(field));
  if (missing.length === 0 && fields.every(lacking)) {
    const message = `This ${base.singular} says nothing in ${tag}.`;
    return [{ field: published.column, code: 'language_required', message }];
  }
  return missing.map(({ name }) => ({
    field: name,
    code: 'language_required',
    message: `${name} is required in ${tag} to be ${published.value}.`,
  }));
}

const isEmpty = (value: FieldValue | null): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);
