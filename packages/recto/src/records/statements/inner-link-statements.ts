import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Query } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { type InnerLink, linksIn } from '../../definition/structure/inner-links.ts';
import type { LinkRow } from '../../migrations/storage/links-table.ts';
import { Plan } from '../plans/plan.ts';
import { ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';

const table = sql.table('recto_links');
const columns = [
  'type',
  'record',
  'field',
  'path',
  'target_type',
  'target',
] as const satisfies readonly (keyof LinkRow)[];

/** The most links that one statement makes: a power of two. */
const mostLinks = 256;

/** The values of a record's structured fields, by name. */
type Values = Readonly<Record<string, unknown>>;

/** The statements on references inside structured fields, each planned once. */
export class InnerLinkStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** What makes the stored links of a record those of its new values, of which there are those of some fields. */
  changes(type: ContentType, id: string, before: Values, after: ReadonlyMap<Field, unknown>): readonly Query[] {
    return type.facts.linking.flatMap((field) => {
      if (!after.has(field)) return [];
      const [old, made] = [byKey(linksIn(field, before[field.name])), byKey(linksIn(field, after.get(field)))];
      const gone = [...old].filter(([key]) => !made.has(key)).map(([, link]) => link);
      const fresh = [...made].filter(([key]) => !old.has(key)).map(([, link]) => link);
      const place = { type: type.singular, record: id, field: field.name };
      return [...gone.map((link) => this.#remove(place, link)), ...this.#insert(place, fresh)];
    });
  }

  /** Removes all links of a record; nothing for a type that has none. */
  removeAll(type: ContentType, id: string): readonly Query[] {
    if (type.facts.linking.length === 0) return [];
    const query = this.#fixed('remove-all', [type.singular, id], (places) => {
      return sql`delete from ${table} where "type" = ${places.take()} and "record" = ${places.take()}`;
    });
    return [query];
  }

  /** Rows `LinkRow`: the links that lead to a record, those of one record together. */
  leadingTo(type: ContentType, id: string): Query {
    return this.#fixed('leading', [type.singular, id], (places) => {
      const names = sql.join(columns.map((name) => sql.id(name)));
      const isTarget = sql`"target_type" = ${places.take()} and "target" = ${places.take()}`;
      return sql`select ${names} from ${table} where ${isTarget} order by "type", "record", "field", "path"`;
    });
  }

  #remove(place: Pick<LinkRow, 'type' | 'record' | 'field'>, { path, id }: InnerLink): Query {
    const values = [place.type, place.record, place.field, path, id];
    return this.#fixed('remove', values, (places) => {
      const keys = ['type', 'record', 'field', 'path', 'target'].map((name) => sql`${sql.id(name)} = ${places.take()}`);
      return sql`delete from ${table} where ${sql.join(keys, sql` and `)}`;
    });
  }

  #insert({ type, record, field }: Pick<LinkRow, 'type' | 'record' | 'field'>, links: readonly InnerLink[]): Query[] {
    const statements: Query[] = [];
    for (let start = 0; start < links.length; ) {
      // Few plans for any number of links: each statement takes a power of two of them.
      const size = Math.min(mostLinks, 2 ** Math.floor(Math.log2(links.length - start)));
      const rows = links.slice(start, start + size);
      const values = rows.flatMap(({ path, target, id }) => [type, record, field, path, target, id]);
      statements.push(
        this.#fixed(`insert|${size}`, values, (places) => {
          const row = () => sql`(${sql.join(columns.map(() => places.take()))})`;
          const names = sql.join(columns.map((name) => sql.id(name)));
          return sql`insert into ${table} (${names}) values ${sql.join(Array.from({ length: size }, row))}`;
        }),
      );
      start += size;
    }
    return statements;
  }

  #fixed(name: string, values: readonly SqlValue[], build: (places: ValuePlaces) => ReturnType<typeof sql<unknown>>) {
    const make = () => new Plan(build(new ValuePlaces()), this.#context.database.dialect);
    return this.#context.plans.query(`inner-links|${name}`, make, values);
  }
}

/** A record that is named by a relation in several items has one link. */
const byKey = (links: readonly InnerLink[]): ReadonlyMap<string, InnerLink> =>
  new Map(links.map((link) => [`${link.path} ${link.id}`, link]));
