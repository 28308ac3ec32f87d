import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { readableFields, readsPrivate } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isValue, kindOf, storedColumn } from '../../definition/stored-field.ts';
import { innerFields, itemsOf, memberOf, partFields } from '../../definition/structure/structure-items.ts';
import { column } from '../plans/sql-parts.ts';
import { type HtmlLink, htmlLinks } from './html-links.ts';

/** A link, and where it stands in its record: `body`, `sections[2].text`. */
export interface PlacedLink extends HtmlLink {
  readonly place: string;
}

const isRichText = ({ type }: Field): boolean => type.name === 'richtext';

/** The fields of a type that a view shows and that have rich text, or rich text inside which it shows. */
export const linkFields = (type: ContentType, view: ReadView): readonly Field[] =>
  readableFields(type, view).filter(
    (field) =>
      isValue(field) &&
      (isRichText(field) ||
        innerFields(field).some((inner) => isRichText(inner.field) && (!inner.isPrivate || readsPrivate(view)))),
  );

/** The columns of some fields in the row `alias`, by the names of the fields. */
export const linkColumns = (fields: readonly Field[], alias: string): RawBuilder<unknown> =>
  sql.join(fields.map((field) => sql`${column(alias, storedColumn(field) ?? field.name)} as ${sql.id(field.name)}`));

/** Whether the text of a field matches the pattern of a `like`. */
export const textIsLike = (field: Field, alias: string, pattern: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`cast(${column(alias, storedColumn(field) ?? field.name)} as text) like ${pattern}`;

/** The links in some fields of a row that has them by their names. */
export function linksInRow(
  fields: readonly Field[],
  row: Readonly<Record<string, SqlValue>>,
  view: ReadView,
  dialect: Dialect,
): readonly PlacedLink[] {
  return fields.flatMap((field) => {
    const stored = row[field.name] ?? null;
    return stored === null ? [] : linksIn(field, dialect.decode(kindOf(field), stored), view, field.name);
  });
}

/** The links in values of some fields, such as those of a draft, in JSON form by the names of the fields. */
export const linksInValues = (
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  view: ReadView,
): readonly PlacedLink[] =>
  fields.flatMap((field) => {
    const value = values[field.name] ?? null;
    return value === null ? [] : linksIn(field, value, view, field.name);
  });

function linksIn(field: Field, value: unknown, view: ReadView, place: string): readonly PlacedLink[] {
  if (isRichText(field)) return typeof value === 'string' ? htmlLinks(value).map((link) => ({ ...link, place })) : [];
  const { structure } = field;
  if (structure === undefined) return [];
  return itemsOf(structure, value).flatMap(({ value: item, part, path }) => {
    if (part === undefined) return [];
    return partFields(part).flatMap((member) => {
      if (member.private && !readsPrivate(view)) return [];
      const name = part.item === null ? `.${member.name}` : '';
      return linksIn(member, memberOf(part, member, item), view, `${place}${path}${name}`);
    });
  });
}
