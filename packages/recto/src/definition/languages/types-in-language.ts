import type { ContentType, ContentTypes } from '../content-type.ts';
import type { FieldCondition } from '../field-condition.ts';
import type { Field } from '../field-type.ts';
import { isLocalized, isTranslated } from '../stored-field.ts';
import { TypeFacts } from '../type-facts.ts';
import type { ReadLanguage } from './read-language.ts';

/**
 * The types as a language shows them. A localized type reads from a table that there is not: statements declare it, with the values
 * of the language in the columns of the fields. Everything that reads a record through such a type, to show, filter or sort it,
 * reads the same values. Types without localized fields are the same objects.
 */
export function typesInLanguage(types: ContentTypes, read: ReadLanguage): ContentTypes {
  const own = new Map(types.all.filter(isLocalized).map((type) => [type.singular, typeInLanguage(type, read)]));
  return Object.freeze({
    ...types,
    all: Object.freeze(types.all.map((type) => own.get(type.singular) ?? type)),
    get: (singular: string) => own.get(singular) ?? types.get(singular),
    find: (singular: string) => own.get(singular) ?? types.find(singular),
  });
}

/** One localized type, as a language shows it. */
export function typeInLanguage(base: ContentType, read: ReadLanguage): ContentType {
  const fields = Object.freeze(base.fields.map(translatable));
  const field = new Map(fields.map((each) => [each.name, each]));
  const { protocols, uniqueSets } = base;
  return Object.freeze({
    ...base,
    table: `${base.table}@${read.key}`,
    fields,
    field,
    conditions: Object.freeze(base.conditions.map((condition) => inOtherLanguage(condition, field))),
    facts: new TypeFacts({ fields, protocols, ...(uniqueSets === undefined ? {} : { uniqueSets }) }),
    shownIn: Object.freeze({ base, read }),
  });
}

/** A translation may lack any value: it begins with none, and is completed as it is written. */
const translatable = (field: Field): Field =>
  isTranslated(field) ? Object.freeze({ ...field, required: false, default: undefined }) : field;

function inOtherLanguage(condition: FieldCondition, fields: ContentType['field']): FieldCondition {
  const field = fields.get(condition.field.name) ?? condition.field;
  return Object.freeze({ ...condition, field, required: condition.required && !field.localized });
}
