import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type Field, junctionColumns } from '../../definition/content-type.ts';
import type { FilterTerm } from '../../query/row-query.ts';
import { kinds } from '../../values/kinds.ts';
import { column, tableAs, type ValuePlaces } from '../plans/sql-parts.ts';

/** What of a filter the statement's text depends on. */
export function filterKey(term: FilterTerm): string {
  switch (term.by) {
    case 'column':
    case 'element':
    case 'spelled_element':
      return term.column;
    case 'related':
      return term.junction;
    case 'related_slug':
      return `${term.junction}.${term.column}`;
    case 'meta':
      return `${term.column}.${term.path.join('.')}`;
  }
}

/** The table of a type, and which of its rows in `alias` the caller sees. */
export type RelatedTable = (
  singular: string,
  alias: string,
) => { readonly table: string; readonly shown: RawBuilder<boolean> };

/** The condition, which takes as many places as `filterValues` gives values, in the same order. */
export function filterCondition(
  term: FilterTerm,
  alias: string,
  { dialect, related }: { readonly dialect: Dialect; readonly related: RelatedTable },
  places: ValuePlaces,
): RawBuilder<boolean> {
  switch (term.by) {
    case 'column':
      return sql`${column(alias, term.column)} = ${places.take()}`;
    case 'element':
      return dialect.jsonHasText(column(alias, term.column), places.take());
    case 'spelled_element':
      return dialect.jsonHasAnyText(column(alias, term.column), places.take());
    case 'related':
      return sql`exists (select 1 from ${tableAs(term.junction, 'f')} where ${column('f', junctionColumns.source)} = ${column(alias, 'id')} and ${column('f', junctionColumns.target)} = ${places.take()})`;
    case 'related_slug': {
      const { table, shown } = related(term.target, 'k');
      const linked = sql`${column('f', junctionColumns.target)} = ${column('k', 'id')}`;
      return sql`exists (select 1 from ${tableAs(term.junction, 'f')}, ${tableAs(table, 'k')}
        where ${column('f', junctionColumns.source)} = ${column(alias, 'id')} and ${linked}
          and ${column('k', term.column)} = ${places.take()} and ${shown})`;
    }
    case 'meta':
      return metaCondition(term.path, column(alias, term.column), dialect, places);
  }
}

export function filterValues(term: FilterTerm, dialect: Dialect): SqlValue[] {
  switch (term.by) {
    case 'column':
      return [dialect.encode(term.kind, term.value)];
    case 'element':
    case 'spelled_element':
      return [term.text];
    case 'related':
      return [term.id];
    case 'related_slug':
      return [term.slug];
    case 'meta':
      return metaKinds.map((kind) => {
        const value = kinds[kind].fromText(term.text);
        return value === undefined ? null : dialect.encode(kind, value);
      });
  }
}

/** A filter whose value is read from stored records: it stands at this place among the values of the list. */
export interface SpelledFilter {
  readonly at: number;
  readonly field: Field;
  readonly text: string;
}

export function spelledFilters(filters: readonly FilterTerm[], dialect: Dialect): readonly SpelledFilter[] {
  let at = 0;
  return filters.flatMap((term) => {
    const place = at;
    at += filterValues(term, dialect).length;
    return term.by === 'spelled_element' ? [{ at: place, field: term.field, text: term.text }] : [];
  });
}

/** The metadata has no declared types: a value is compared as the JSON type that it has, with what the text means as that type. */
const metaKinds = ['text', 'float', 'boolean'] as const;

function metaCondition(
  path: readonly string[],
  json: RawBuilder<unknown>,
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<boolean> {
  const alternatives = metaKinds.map((kind) => sql`${dialect.rules.jsonScalar(json, path, kind)} = ${places.take()}`);
  return sql`(${sql.join(alternatives, sql` or `)})`;
}
