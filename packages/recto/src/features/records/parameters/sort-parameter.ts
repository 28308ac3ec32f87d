import Type, { type TSchema } from 'typebox';
import type { ContentType } from '../../../definition/content-type.ts';
import { readableFields } from '../../../definition/readable-fields.ts';
import { type ViewName, viewNamed } from '../../../definition/rights/read-view.ts';
import { isFreeText, isValue } from '../../../definition/stored-field.ts';
import { schemaName } from '../schema-name.ts';

/** `sort` with the fields by which a view can be sorted. */
export function sortParameter(type: ContentType, view: ViewName): TSchema {
  const terms = sortTerms(type, view);
  const name = `${schemaName(type)}Sort`;
  const isUsual = view === 'list' || Bun.deepEquals(sortTerms(type, 'list'), terms);
  return Type.Array(Type.Unsafe({ type: 'string', enum: terms }), {
    component: isUsual ? name : `${name}_${view}`,
    uniqueItems: true,
    description: terms.some((term) => term.endsWith(':natural'))
      ? 'The order of the records, by one field or more. Names each field once. `:natural` sorts texts by the numbers at their beginning and end.'
      : 'The order of the records, by one field or more. Names each field once.',
  });
}

const sortTerms = (type: ContentType, view: ViewName): string[] =>
  readableFields(type, viewNamed(view))
    .filter((field) => isValue(field) && field.type.sortable)
    .flatMap((field) => {
      const terms = [`${field.name}:asc`, `${field.name}:desc`];
      const isNatural = view === 'admin' && isFreeText(field);
      return isNatural ? [...terms, ...terms.map((term) => `${term}:natural`)] : terms;
    });
