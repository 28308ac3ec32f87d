import { type Expression, type RawBuilder, sql } from 'kysely';
import { idLength } from '../../database/schema-dialect.ts';
import { type ContentType, type ContentTypes, type Field, junctionColumns } from '../../definition/content-type.ts';
import { isFileField } from '../../definition/field-type.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import { perType } from '../../definition/per-type.ts';
import { isTranslated, junctionOf, targetOf } from '../../definition/stored-field.ts';
import { innerFields } from '../../definition/structure/structure-items.ts';
import { fieldValue } from './field-values.ts';
import { column, tableAs } from './sql-parts.ts';
import type { PlanContext } from './visibility.ts';

/** A stored reference to the records of a type. */
export interface Referrer {
  readonly owner: ContentType;
  readonly field: Field;
}

const knownReferrers = new WeakMap<ContentTypes, (type: ContentType) => readonly Referrer[]>();

/** The fields of all types whose stored references to a type change when a record of it goes. */
export function referrers(types: ContentTypes, type: ContentType): readonly Referrer[] {
  const known = knownReferrers.get(types) ?? perType((target) => findReferrers(types, target));
  knownReferrers.set(types, known);
  return known(type);
}

const findReferrers = (types: ContentTypes, { singular }: ContentType): readonly Referrer[] =>
  types.all.flatMap((owner) =>
    owner.facts.storedRelations.filter((field) => targetOf(field) === singular).map((field) => ({ owner, field })),
  );

/** A relation inside a structured field that leads to a type. */
export interface InnerReferrer {
  readonly owner: ContentType;
  readonly field: Field;
  /** The relation inside the field, by names. */
  readonly path: string;
  readonly isFile: boolean;
  /** Whether it, or one that it is inside of, is private. */
  readonly isPrivate: boolean;
}

const knownInner = new WeakMap<ContentTypes, ReadonlyMap<string, readonly InnerReferrer[]>>();

/** The relations inside structured fields of all types that lead to a type. */
export function innerReferrers(types: ContentTypes, { singular }: ContentType): readonly InnerReferrer[] {
  const found = knownInner.get(types) ?? findInner(types);
  knownInner.set(types, found);
  return found.get(singular) ?? [];
}

function findInner(types: ContentTypes): ReadonlyMap<string, readonly InnerReferrer[]> {
  const all = types.all.flatMap((owner) =>
    owner.facts.linking.flatMap((field) =>
      innerFields(field).flatMap(({ path, field: inner, isPrivate }) =>
        inner.place.shape === 'to_one'
          ? [{ target: inner.place.target, referrer: { owner, field, path, isFile: isFileField(inner), isPrivate } }]
          : [],
      ),
    ),
  );
  const byTarget = Map.groupBy(all, ({ target }) => target);
  return new Map([...byTarget].map(([target, some]) => [target, some.map(({ referrer }) => referrer)]));
}

/**
 * Whether the row of `alias` has this id in the column of a field. A column of files may hold addresses besides, and its index
 * is on the rows that may hold ids alone, so the condition has that in it as well.
 */
export function columnHasId(field: Field, alias: string, id: Expression<unknown>): RawBuilder<boolean> {
  const own = fieldValue(field, alias);
  if (!isFileField(field)) return sql<boolean>`${own} = ${id}`;
  return sql<boolean>`(${own} = ${id} and length(${own}) = ${sql.lit(idLength)})`;
}

/** What the type is stored as, where it is one that a language shows. */
const storedType = (type: ContentType): ContentType => type.shownIn?.base ?? type;

/** The rows with values in other languages that have this id in the column of a localized field, as `alias`. */
const translationsWith = (
  owner: ContentType,
  field: Field,
  alias: string,
  id: Expression<unknown>,
): RawBuilder<unknown> =>
  sql`from ${tableAs(languagesTable(storedType(owner)), alias)} where ${columnHasId(field, alias, id)}`;

/** Rows `id`: the records that have this id in a localized field, in any language. */
function referringInLanguages({ owner, field }: Referrer, id: Expression<unknown>): RawBuilder<unknown> {
  const [row, other] = ['lo', 'ln'];
  return sql`select ${column(row, 'id')} as "id" from ${tableAs(storedType(owner).table, row)}
      where ${columnHasId(field, row, id)}
    union select ${column(other, languageColumns.row)} as "id" ${translationsWith(owner, field, other, id)}`;
}

/** Whether the record in the row of `alias` has this id in the field, in any language. */
export function refersByField(referrer: Referrer, alias: string, id: Expression<unknown>): RawBuilder<boolean> {
  if (!isTranslated(referrer.field)) return columnHasId(referrer.field, alias, id);
  return sql<boolean>`${column(alias, 'id')} in (${referringInLanguages(referrer, id)})`;
}

/** Whether some record refers to the row of `alias`, by a relation of its own or inside a structured field. */
export function isUsed(
  types: ContentTypes,
  type: ContentType,
  alias: string,
  context: PlanContext,
): RawBuilder<boolean> {
  const id = column(alias, 'id');
  const row = 'user';
  const ways = referrers(types, type).flatMap(({ owner, field }) => {
    context.reads.type(owner.singular);
    const junction = junctionOf(field);
    if (junction !== undefined) {
      const target = column(row, junctionColumns.target);
      return [sql`exists (select 1 from ${tableAs(junction, row)} where ${target} = ${id})`];
    }
    const own = sql`exists (select 1 from ${tableAs(storedType(owner).table, row)} where ${columnHasId(field, row, id)})`;
    return isTranslated(field) ? [own, sql`exists (select 1 ${translationsWith(owner, field, row, id)})`] : [own];
  });
  const inner = innerReferrers(types, type);
  for (const { owner } of inner) context.reads.type(owner.singular);
  if (inner.length > 0) {
    const leads = sql`${column(row, 'target_type')} = ${sql.lit(type.singular)} and ${column(row, 'target')} = ${id}`;
    ways.push(sql`exists (select 1 from ${tableAs('recto_links', row)} where ${leads})`);
  }
  return ways.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(ways, sql` or `)})`;
}
