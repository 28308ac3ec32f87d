import { Cron } from 'croner';
import type { Database } from '../database/database.ts';
import type { JobKind, Schedule } from './job-kind.ts';
import { JobStatements } from './job-statements.ts';
import { newRow } from './jobs.ts';

type PeriodicKind = JobKind & { readonly schedule: Schedule };

const isPeriodic = (kind: JobKind): kind is PeriodicKind => kind.schedule !== undefined;

/** The key of the one job of a kind with a schedule. */
export const periodicKey = (name: string): string => `periodic:${name}`;

/** Whether it is such a job's key. It never ends: it waits for its next time. */
export const isPeriodicKey = (key: string | null): boolean => key?.startsWith('periodic:') === true;

/** When a kind with a schedule runs next, after `now` by its cron expression, and earlier if stored data requires it. */
export async function nextTime({ cron, earlier }: Schedule, now: number): Promise<number> {
  const regular = regularTime(cron, now);
  const required = (await earlier?.(now)) ?? regular;
  return Math.max(now, Math.min(regular, required));
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The last answer for each expression, which is right for all times of its span: all processes ask every second. */
const spans = new Map<string, Span>();

/** The next time of a cron expression, in UTC: by an offset, because the calendar of a named zone takes milliseconds and memory to load. */
export function regularTime(cron: string, now: number): number {
  const known = spans.get(cron);
  if (known !== undefined && known.from <= now && now < known.to) return known.to;
  const to = new Cron(cron, { utcOffset: 0 }).nextRun(new Date(now))?.getTime();
  if (to === undefined) throw new Error(`The cron expression ${cron} never comes.`);
  spans.set(cron, { from: now, to });
  return to;
}

/** How long what the database has is trusted, in milliseconds: a clock may have been set back meanwhile. */
const trustedMs = 60_000;

/** Keeps one job for each kind with a schedule, for all processes and machines together, and brings it forward when its time does. */
export class PeriodicJobs {
  readonly #database: Database;
  readonly #statements: JobStatements;
  readonly #advanced: () => void;
  #made: readonly JobKind[] = [];
  /** The stored times of those that wait for their regular time. Only a run sets one back, and so not before it has come. */
  readonly #stored = new Map<string, number>();
  #readAt = Number.NEGATIVE_INFINITY;

  /** Calls `advanced` when a job was brought forward. */
  constructor(database: Database, advanced: () => void) {
    this.#database = database;
    this.#advanced = advanced;
    this.#statements = new JobStatements(database.dialect);
  }

  /** Leaves out the kinds that this process runs at the moment: each finds its next time itself. */
  async sync(kinds: readonly JobKind[], running: (kind: string) => boolean, now: number): Promise<void> {
    const periodic = kinds.filter(isPeriodic);
    if (periodic.length === 0) return;
    if (kinds !== this.#made) await this.#make(periodic, now);
    this.#made = kinds;
    if (this.#isOutdated(periodic, now)) await this.#read(periodic);
    for (const { name, schedule } of periodic) {
      const stored = this.#stored.get(name);
      if (stored === undefined || stored <= now || running(name)) continue;
      const next = await nextTime(schedule, now);
      if (stored <= next) continue;
      await this.#database.transaction(async (transaction) =>
        transaction.run(this.#statements.advance(periodicKey(name), next, now)),
      );
      this.#stored.set(name, next);
      this.#advanced();
    }
  }

  /** The stored times may have changed. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #isOutdated(kinds: readonly PeriodicKind[], now: number): boolean {
    if (performance.now() - this.#readAt >= trustedMs) return true;
    return kinds.some(({ name }) => (this.#stored.get(name) ?? now) <= now);
  }

  async #make(kinds: readonly PeriodicKind[], now: number): Promise<void> {
    const rows = await this.#database.rows<{ key: string }>(this.#rowsOf(kinds));
    const stored = new Set(rows.map(({ key }) => key));
    const missing = kinds.filter(({ name }) => !stored.has(periodicKey(name)));
    this.forget();
    if (missing.length === 0) return;
    await this.#database.transaction(async (transaction) => {
      for (const kind of missing) {
        const { cron, startsAtItsTime } = kind.schedule;
        const runAt = startsAtItsTime === true ? regularTime(cron, now) : now;
        const row = newRow(kind, {}, { key: periodicKey(kind.name), runAt }, now);
        await transaction.run(this.#statements.insertOnce(row));
      }
    });
    this.#advanced();
  }

  async #read(kinds: readonly PeriodicKind[]): Promise<void> {
    this.#readAt = performance.now();
    const rows = await this.#database.rows<{ key: string; run_at: number; state: string; attempts: number }>(
      this.#rowsOf(kinds),
    );
    this.#stored.clear();
    for (const { key, run_at: runAt, state, attempts } of rows) {
      // One that runs elsewhere, or has failed, has its own next time.
      const isRegular = state === 'queued' && attempts === 0;
      if (isRegular) this.#stored.set(key.slice(periodicKey('').length), Number(runAt));
    }
  }

  #rowsOf(kinds: readonly PeriodicKind[]) {
    return this.#statements.byKeys(kinds.map(({ name }) => periodicKey(name)));
  }
}
