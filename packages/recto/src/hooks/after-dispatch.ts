import { sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import { type ReaderRow, readersTable } from '../events/event-tables.ts';
import { type JobKind, periodicJob } from '../jobs/job-kind.ts';
import { type AfterHooks, type AfterParts, afterJob, afterKey, readerName } from './after-hooks.ts';
import { cronKind, cronPrefix } from './cron-jobs.ts';
import type { LoadedJob } from './loaded-code.ts';

const dayMs = 86_400_000;
/** For how long a process asks no second time for the same event, in milliseconds of a steady clock. */
const askedMs = 10_000;

interface DispatchParts extends AfterParts {
  readonly crons: readonly LoadedJob[];
}

/** Enqueues the jobs of `after` hooks that have something to do. */
export class AfterDispatch {
  readonly kind: JobKind;
  readonly #parts: DispatchParts;
  readonly #after: AfterHooks;
  /** All hooks have dealt with everything up to this event. */
  #seen = -1;
  #asked = { last: -1, at: Number.NEGATIVE_INFINITY };

  constructor(parts: DispatchParts, after: AfterHooks) {
    this.#parts = parts;
    this.#after = after;
    const earlier = async (now: number): Promise<number | null> => ((await this.#isDue()) ? now : null);
    this.kind = periodicJob('hooks.dispatch', { cron: '9 * * * *', earlier }, async ({ now }) => {
      await this.#run(now());
      return undefined;
    });
  }

  get #hooks() {
    return this.#parts.hooks.filter(({ handlers }) => handlers.after !== undefined);
  }

  async #isDue(): Promise<boolean> {
    const hooks = this.#hooks;
    if (hooks.length === 0) return false;
    const last = await this.#parts.events.last();
    if (last <= this.#seen) return false;
    const now = performance.now();
    if (last === this.#asked.last && now - this.#asked.at < askedMs) return false;
    const positions = new Map((await this.#readers()).map(({ name, position }) => [name, Number(position)]));
    const isBehind = hooks.some(({ name }) => (positions.get(readerName(name)) ?? -1) < last);
    if (isBehind) this.#asked = { last, at: now };
    else this.#seen = last;
    return isBehind;
  }

  async #run(now: number): Promise<void> {
    const { jobs } = this.#parts;
    for (const hook of this.#hooks) {
      if (await this.#after.isDue(hook))
        await jobs.enqueue(afterJob, { hook: hook.name }, { key: afterKey(hook.name) });
    }
    await this.#forget(now);
    await this.#cancel(now);
  }

  /** Ends readers of hooks that are gone, once they have not moved for a day: another version of the deployment may have them. */
  async #forget(now: number): Promise<void> {
    const names = new Set(this.#hooks.map(({ name }) => readerName(name)));
    const before = new Date(now - dayMs).toISOString();
    for (const { name, moved_at: movedAt } of await this.#readers()) {
      if (!names.has(name) && movedAt < before) await this.#parts.events.reader(name).remove();
    }
  }

  /** Cancels the jobs of files in `jobs/` that are gone, once nobody has run them for a day. */
  async #cancel(now: number): Promise<void> {
    const { jobs, crons, records } = this.#parts;
    const { database } = records;
    const select = sql`select "kind", "key" from recto_jobs where "state" = 'queued' and "kind" like ${`${cronPrefix}%`} and "run_at" < ${now - dayMs}`;
    const rows = await database.rows<{ kind: string; key: string | null }>(compiledQuery(select, database.dialect));
    const known = new Set(crons.map(({ name }) => cronKind(name)));
    for (const { kind, key } of rows) {
      if (key !== null && !known.has(kind))
        await jobs.runInTransaction((transaction) => jobs.cancelIn(transaction, key));
    }
  }

  async #readers(): Promise<readonly ReaderRow[]> {
    const { database } = this.#parts.records;
    const select = sql`select "name", "position", "moved_at" from ${sql.table(readersTable.name)} where "name" like 'hook:%'`;
    return database.rows<ReaderRow>(compiledQuery(select, database.dialect));
  }
}
