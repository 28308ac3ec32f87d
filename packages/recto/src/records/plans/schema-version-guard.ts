import { type RawBuilder, sql } from 'kysely';
import { unavailable } from '../../base/problem.ts';
import { queryOf } from '../../database/compiled-query.ts';
import type { Database, Transaction } from '../../database/database.ts';
import { layoutGeneration } from '../../database/schema-generations.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';

/** What the tables of types are, by their singular names: the generations of their layouts. */
export type Layouts = ReadonlyMap<string, number>;

/** As of the last refresh of the generations. */
export const layoutsOf = ({ generations }: Database, types: readonly ContentType[]): Layouts =>
  new Map(types.map(({ singular }) => [singular, generations.of(layoutGeneration(singular))]));

/**
 * Keeps a write that was checked against one definition from a table that has been made for another meanwhile: by a change
 * through the API, of this process or another, that was committed while the write waited for its turn.
 */
export class SchemaVersionGuard {
  /** As they were when the definition of each type was read. */
  readonly #known: Layouts;
  readonly #current: string;

  /** `read`: the layouts as they were when definitions were read; those of the others are taken as they are now. */
  constructor(database: Database, types: ContentTypes, read: Layouts) {
    const { dialect } = database;
    this.#known = new Map([...layoutsOf(database, types.all), ...read]);
    const current = dialect.builder.selectFrom('recto_generations').select('generation').where('name', '=', '');
    this.#current = queryOf(current.compile()).sql;
  }

  /** Whether the tables of a type are still those of its definition, for a statement that reads them. */
  isAsDefined({ singular }: ContentType): RawBuilder<boolean> | undefined {
    const known = this.#known.get(singular);
    if (known === undefined) return undefined;
    const name = layoutGeneration(singular);
    return sql`coalesce((select "generation" from "recto_generations" where "name" = ${sql.lit(name)}), 0) = ${sql.lit(known)}`;
  }

  /** Throws 503 where the tables of a type have changed since. */
  async check(transaction: Transaction, { singular }: ContentType): Promise<void> {
    const known = this.#known.get(singular);
    if (known === undefined) return;
    const current = { sql: this.#current, parameters: [layoutGeneration(singular)] };
    const found = await transaction.fact<{ generation: unknown }>(current);
    if (Number(found?.generation ?? 0) === known) return;
    throw unavailable('definition_changed', `The content type "${singular}" has just been changed. Send this again.`);
  }
}
