import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { RevisionRetention } from '../../definition/protocol.ts';
import type { ReadContext } from '../select/read-context.ts';
import { ageLimit } from './revision.ts';

/** Revisions that one transaction removes: other writers wait for it. */
const slice = 500;

interface AgedRow {
  readonly record: string;
  readonly revision: number | bigint;
  readonly at: string;
}

/**
 * Removes revisions that are older than their types keep them, but for the newest of each record. A record's next revision
 * does so too; this is for records that nobody changes.
 */
export class AgedRevisions {
  readonly #records: Pick<ReadContext, 'database' | 'types'>;
  readonly #types: readonly { readonly type: ContentType; readonly retention: RevisionRetention }[];

  constructor(records: Pick<ReadContext, 'database' | 'types'>) {
    this.#records = records;
    this.#types = records.types.all.flatMap((type) => {
      const retention = type.facts.revisions;
      return retention === undefined || retention.maxAgeDays === null ? [] : [{ type, retention }];
    });
  }

  /** Removes what is too old at `now` (canonical datetime). Ends early when `signal` is aborted. */
  async run(now: string, signal?: AbortSignal): Promise<void> {
    for (const { type, retention } of this.#types) {
      const limit = ageLimit(retention, now);
      if (limit !== undefined) await this.#remove(type.singular, limit, signal);
    }
  }

  async #remove(type: string, limit: string, signal: AbortSignal | undefined): Promise<void> {
    let from = '';
    for (let full = true; full && signal?.aborted !== true; ) {
      const rows = await this.#aged(type, from, limit);
      if (rows.length === 0) return;
      await this.#records.database.transaction(async (transaction) => {
        for (const { record, revision } of rows) {
          await transaction.run(
            this.#query(sql`delete from "recto_revisions"
              where "type" = ${type} and "record" = ${record} and "revision" = ${Number(revision)}`),
          );
        }
      });
      from = rows.at(-1)?.at ?? from;
      full = rows.length === slice;
    }
  }

  /** A slice of those from one time to another that a newer one follows, oldest first. */
  async #aged(type: string, from: string, to: string): Promise<readonly AgedRow[]> {
    return this.#records.database.rows<AgedRow>(
      this.#query(sql`select "r"."record", "r"."revision", "r"."at" from "recto_revisions" as "r"
        where "r"."type" = ${type} and "r"."at" >= ${from} and "r"."at" < ${to} and exists (
          select 1 from "recto_revisions" as "n"
          where "n"."type" = "r"."type" and "n"."record" = "r"."record" and "n"."revision" > "r"."revision")
        order by "r"."at" limit ${slice}`),
    );
  }

  #query(statement: ReturnType<typeof sql<unknown>>) {
    return compiledQuery(statement, this.#records.database.dialect);
  }
}
