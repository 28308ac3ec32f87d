import { queryOf } from '../database/compiled-query.ts';
import type { Database, Query, Transaction } from '../database/database.ts';
import { layoutGeneration } from '../database/schema/layout-generation.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { unavailable } from '../errors/problem.ts';

/** What a type's tables were when its definition was read, and how to ask what they are. */
interface KnownLayout {
  readonly generation: number;
  readonly current: Query;
}

/**
 * Keeps a write that was checked against one definition from a table that has been made for another meanwhile: by a change
 * through the API, of this process or another, that was committed while the write waited for its turn.
 */
export class LayoutGuard {
  readonly #known: ReadonlyMap<string, KnownLayout>;

  /** The generations must have been refreshed before the definitions of the types were read. */
  constructor({ dialect, generations }: Database, types: ContentTypes) {
    const layoutOf = ({ singular }: ContentType): KnownLayout => {
      const name = layoutGeneration(singular);
      const current = dialect.builder.selectFrom('recto_generations').select('generation').where('name', '=', name);
      return { generation: generations.of(name), current: queryOf(current.compile()) };
    };
    this.#known = new Map(types.all.map((type) => [type.singular, layoutOf(type)]));
  }

  /** Throws 503 where the tables of a type have changed since. */
  async check(transaction: Transaction, { singular }: ContentType): Promise<void> {
    const known = this.#known.get(singular);
    if (known === undefined) return;
    const found = await transaction.fact<{ generation: unknown }>(known.current);
    if (Number(found?.generation ?? 0) === known.generation) return;
    throw unavailable('definition_changed', `The content type "${singular}" has just been changed. Send this again.`);
  }
}
