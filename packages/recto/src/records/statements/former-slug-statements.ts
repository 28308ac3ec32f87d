import { sql } from 'kysely';
import type { Query } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { slugFieldOf, slugReads } from '../../definition/slug-field.ts';
import type { FormerSlugRow } from '../../migrations/storage/former-slugs-table.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { shownToAll } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';

const table = sql.table('recto_former_slugs');
const columns = [
  'type',
  'field',
  'slug',
  'tenant',
  'record',
  'moved_at',
] as const satisfies readonly (keyof FormerSlugRow)[];

/** The statements that keep the slugs by which records were visible, each planned once. */
export class FormerSlugStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /**
   * What an update does first: it keeps the slug of a record that may get another one, or be hidden. What was not visible is not kept:
   * nobody could know its address.
   */
  beforeUpdate(type: ContentType, current: StoredRecord, changed: ReadonlyMap<Field, unknown>): readonly Query[] {
    const reads = slugReads(type);
    if (reads.size === 0) return [];
    for (const [{ name }, value] of changed) {
      if (reads.has(name) && value !== current[name]) return this.#keep(type, String(current.id));
    }
    return [];
  }

  /** What a removal does first: the record's slug, if it was visible by it, leads to no other record again; nor do its former ones. */
  beforeRemoval(type: ContentType, id: string): readonly Query[] {
    if (slugFieldOf(type) === undefined) return [];
    const forget = () => {
      const places = new ValuePlaces();
      const statement = sql`delete from ${table} where "type" = ${places.take()} and "record" = ${places.take()}`;
      return new Plan(statement, this.#context.database.dialect);
    };
    return [...this.#keep(type, id), this.#context.plans.query('former-slugs|forget', forget, [type.singular, id])];
  }

  /** Keeps the slug of a record that is visible. It belongs to the record that had it last. */
  #keep(type: ContentType, id: string): readonly Query[] {
    const slug = slugFieldOf(type);
    if (slug === undefined) return [];
    const build = () => {
      const { dialect } = this.#context.database;
      const places = new ValuePlaces();
      const names = sql.join(columns.map((name) => sql.id(name)));
      const tenant = type.partition === null ? sql`''` : sql`coalesce(${column('t', type.partition)}, '')`;
      const context = { dialect, authenticated: false, reads: new ReadsCollector() };
      const values = sql`${places.take()}, ${places.take()}, ${fieldValue(slug, 't')}, ${tenant}, ${column('t', 'id')}, ${places.take()}`;
      const isIt = sql<boolean>`${column('t', 'id')} = ${places.take()} and ${fieldValue(slug, 't')} is not null`;
      return new Plan(
        sql`insert into ${table} (${names}) select ${values} from ${tableAs(type.table, 't')}
          where ${allOf([isIt, ...shownToAll(type, 't', context)])}
          on conflict ("type", "field", "slug", "tenant")
          do update set "record" = excluded."record", "moved_at" = excluded."moved_at"`,
        dialect,
      );
    };
    const values = [type.singular, slug.name, new Date().toISOString(), id];
    return [this.#context.plans.query(`former-slugs|keep|${type.singular}`, build, values)];
  }
}
