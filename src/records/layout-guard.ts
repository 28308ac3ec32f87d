import { queryOf } from '../database/compiled-query.ts';
import type { Database, Transaction } from '../database/database.ts';
import { layoutGeneration } from '../database/schema/layout-generation.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { unavailable } from '../errors/problem.ts';

/**
 * Keeps a write that was checked against one definition from a table that has been made for another meanwhile: by a change
 * through the API, of this process or another, that was committed while the write waited for its turn.
 */
export class LayoutGuard {
  /** What each type's tables were when its definition was read, by its singular name. */
  readonly #known: ReadonlyMap<string, number>;
  readonly #current: string;

  /** The generations must have been refreshed before the definitions of the types were read. */
  constructor({ dialect, generations }: Database, types: ContentTypes) {
    this.#known = new Map(types.all.map(({ singular }) => [singular, generations.of(layoutGeneration(singular))]));
    const current = dialect.builder.selectFrom('recto_generations').select('generation').where('name', '=', '');
    this.#current = queryOf(current.compile()).sql;
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
