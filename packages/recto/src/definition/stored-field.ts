import type { ScalarKind, ValueKind } from '../values/value-kind.ts';
import type { Field, MediaPlace } from './field-type.ts';

/** What the rest of the service asks about where a field's values are, so that few modules read `Field.place`. */

/** Whether the field has a value of its own, which is no relation. */
export const isValue = ({ place }: Field): boolean => place.shape === 'column';

/** Whether the field is a relation to one record or holds one file. */
export const isToOne = ({ place }: Field): boolean => place.shape === 'to_one';

/** Whether the field is a relation to many whose links its own records keep. */
export const isLinked = ({ place }: Field): boolean => place.shape === 'to_many';

/** Whether the field is the other side of a relation, and stores nothing itself. */
export const isInverse = ({ place }: Field): boolean => place.shape === 'inverse';

/** Whether the field is a relation to many records, on either side. */
export const isToMany = (field: Field): boolean => isLinked(field) || isInverse(field);

/** Whether the field itself stores the relation. */
export const isStoredRelation = (field: Field): boolean => isToOne(field) || isLinked(field);

/** Whether the field is a column of the type's own table. */
export const isColumn = (field: Field): boolean => isValue(field) || isToOne(field);

/** The column of the type's own table that holds the field's values; undefined for relations to many. */
export const storedColumn = ({ place }: Field): string | undefined => ('column' in place ? place.column : undefined);

/** The table with the links of a relation to many; undefined for any other field. */
export const junctionOf = ({ place }: Field): string | undefined =>
  place.shape === 'to_many' ? place.junction : undefined;

/** The singular name of the type that a relation leads to; undefined for a value. */
export const targetOf = ({ place }: Field): string | undefined => (place.shape === 'column' ? undefined : place.target);

/** What is said of the files that the field holds; undefined where it holds none. */
export const mediaOf = (field: Field): MediaPlace | undefined =>
  field.place.shape === 'to_one' || field.place.shape === 'to_many' ? field.place.media : undefined;

/** The kind of the field's stored values. A relation's are ids. */
export const kindOf = ({ place }: Field): ValueKind => (place.shape === 'column' ? place.kind : 'text');

/** The kind as which the one value of the field compares; undefined for JSON and relations to many. */
export function scalarKindOf(field: Field): ScalarKind | undefined {
  const kind = kindOf(field);
  return isColumn(field) && kind !== 'json' ? kind : undefined;
}

/** Whether the field's values are texts that people write, which a list can have in natural order. */
export const isFreeText = (field: Field): boolean =>
  isValue(field) &&
  field.origin !== 'engine' &&
  kindOf(field) === 'text' &&
  field.type.sortable &&
  field.options.enum_values === undefined;

/** As `scalarKindOf`, without relations. */
export const valueKindOf = (field: Field): ScalarKind | undefined => (isValue(field) ? scalarKindOf(field) : undefined);

interface LocalizedFacts {
  readonly facts: { readonly localized: readonly Field[]; readonly byLanguage: readonly Field[] };
}

/** Whether each language says something of its own in the field. */
export const isTranslated = ({ localized, origin }: Field): boolean => localized && origin === 'declared';

/** The fields of which each language has a value of its own, as declared. */
export const localizedFields = ({ facts }: LocalizedFacts): readonly Field[] => facts.localized;

/** These, and the columns that protocols keep for each language, such as its draft. No other language stands in for those. */
export const fieldsByLanguage = ({ facts }: LocalizedFacts): readonly Field[] => facts.byLanguage;

/** Whether records of the type have values of their own for each language. */
export const isLocalized = ({ facts }: LocalizedFacts): boolean => facts.localized.length > 0;

interface FieldsOfType {
  readonly singular: string;
  readonly field: ReadonlyMap<string, Field>;
}

/** The field of that name, which the type is known to have. */
export function namedField({ singular, field }: FieldsOfType, name: string): Field {
  const found = field.get(name);
  if (found === undefined) throw new TypeError(`${singular} has no field ${name}.`);
  return found;
}
