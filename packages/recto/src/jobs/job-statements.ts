import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Query } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import type { JobState } from './job.ts';
import type { JobRow } from './jobs-table.ts';

/** A run of a job: only the one that still has it may change it. */
export interface Claim {
  readonly id: string;
  readonly owner: string;
  readonly attempts: number;
}

/** How a run left its job. */
export type Release =
  | { readonly state: 'done'; readonly result: string | null }
  | { readonly state: 'failed'; readonly error: string }
  /** Runs again. */
  | {
      readonly state: 'queued';
      readonly runAt: number;
      readonly attempts: number;
      readonly error: string | null;
      readonly result: string | null;
    };

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
  /** Those of this account or API token alone. */
  readonly createdBy?: string | undefined;
  readonly tenant?: string | undefined;
}

/** The least time between two runs of a kind with a schedule, so that one whose run leaves work undone takes turns with all else. */
export const betweenRunsMs = 250;

type Fragment = RawBuilder<unknown>;

const names = [
  ...['id', 'kind', 'state', 'key', 'payload', 'priority', 'run_at', 'again_at', 'attempts', 'max_attempts', 'owner'],
  ...['heartbeat_at', 'progress', 'checkpoint', 'result', 'error', 'created_by', 'tenant_id', 'created_at'],
  ...['started_at', 'finished_at'],
] as const satisfies readonly (keyof JobRow)[];
const columns = sql.join(names.map((name) => sql.ref(name)));
const list = (values: readonly SqlValue[]): Fragment => sql.join(values);

/** The statements on `recto_jobs`, for one database. */
export class JobStatements {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Returns the id: that of the job which has the key already, where there is one. It runs at the earlier time. */
  insert(row: JobRow): Query {
    return this.#query(sql`insert into recto_jobs (${columns}) values (${list(names.map((name) => row[name]))})
      on conflict (key) do update set
        run_at = case when recto_jobs.state = 'queued' and recto_jobs.run_at > excluded.run_at
          then excluded.run_at else recto_jobs.run_at end,
        again_at = case when recto_jobs.state = 'running' and (recto_jobs.again_at is null or recto_jobs.again_at > excluded.run_at)
          then excluded.run_at else recto_jobs.again_at end
      returning id`);
  }

  /** Nothing, where a job has the key. */
  insertOnce(row: JobRow): Query {
    return this.#query(sql`insert into recto_jobs (${columns}) values (${list(names.map((name) => row[name]))})
      on conflict (key) do nothing`);
  }

  /** Brings the run of a queued job forward, unless it waits after a failure; not to the moment after its last run. */
  advance(key: string, runAt: number, now: number): Query {
    const time = sql`case when started_at <= ${now} and started_at + ${sql.lit(betweenRunsMs)} > ${runAt}
      then started_at + ${sql.lit(betweenRunsMs)} else ${runAt} end`;
    return this.#query(sql`update recto_jobs set run_at = ${time}
      where key = ${key} and state = 'queued' and attempts = 0 and run_at > ${time}`);
  }

  byKeys(keys: readonly string[]): Query {
    return this.#query(sql`select key, state, run_at, attempts from recto_jobs where key in (${list(keys)})`);
  }

  due(kinds: readonly string[], now: number, limit: number): Query {
    return this.#query(sql`select id, kind from recto_jobs
      where state = 'queued' and run_at <= ${now} and kind in (${list(kinds)})
      order by priority desc, run_at, id limit ${sql.lit(limit)}`);
  }

  nextRunAt(kinds: readonly string[]): Query {
    return this.#query(sql`select min(run_at) as at from recto_jobs
      where state = 'queued' and kind in (${list(kinds)})`);
  }

  /** No row where another process was first, even if it is done already and the job waits for its next time. */
  claim(id: string, owner: string, now: number): Query {
    return this.#query(sql`update recto_jobs set state = 'running', owner = ${owner}, heartbeat_at = ${now},
        started_at = ${now}, attempts = attempts + 1, again_at = null
      where id = (select id from recto_jobs where id = ${id} and state = 'queued' and run_at <= ${now}
        ${this.#dialect.skipLocked})
      returning ${columns}`);
  }

  running(): Query {
    return this.#query(sql`select id, owner, heartbeat_at, attempts, max_attempts, key from recto_jobs
      where state = 'running'`);
  }

  renew(owner: string, now: number): Query {
    return this.#query(sql`update recto_jobs set heartbeat_at = ${now} where owner = ${owner} and state = 'running'
      returning id, attempts`);
  }

  /** Takes a running job from a runner that has not renewed its lease since `heartbeatAt`. */
  takeOver(claim: Claim, heartbeatAt: number, runAt: number): Query {
    return this.#query(sql`update recto_jobs set state = 'queued', owner = null, heartbeat_at = null, again_at = null,
        run_at = case when again_at is not null and again_at < ${runAt} then again_at else ${runAt} end
      where id = ${claim.id} and owner = ${claim.owner} and state = 'running' and heartbeat_at = ${heartbeatAt}`);
  }

  /** The same for a job that has no attempt left. */
  giveUp(claim: Claim, heartbeatAt: number, now: number, error: string): Query {
    return this.#query(sql`update recto_jobs set state = 'failed', owner = null, heartbeat_at = null, key = null,
        error = ${error}, finished_at = ${now}
      where id = ${claim.id} and owner = ${claim.owner} and state = 'running' and heartbeat_at = ${heartbeatAt}`);
  }

  keep(claim: Claim, progress: string | null, checkpoint: string | undefined): Query {
    const kept = checkpoint === undefined ? sql`` : sql`, checkpoint = ${checkpoint}`;
    return this.#query(sql`update recto_jobs set progress = coalesce(${progress}, progress)${kept}
      where ${this.#own(claim)}`);
  }

  /** One with a key that was asked for while it ran is queued again. */
  release(claim: Claim, release: Release, now: number): Query {
    if (release.state === 'queued') {
      const { runAt, attempts, error, result } = release;
      return this.#query(sql`update recto_jobs set state = 'queued', owner = null, heartbeat_at = null, again_at = null,
          run_at = case when again_at is not null and again_at < ${runAt} then again_at else ${runAt} end,
          attempts = ${attempts}, error = ${error}, result = ${result}
        where ${this.#own(claim)}`);
    }
    const [result, error] = release.state === 'done' ? [release.result, null] : [null, release.error];
    return this.#query(sql`update recto_jobs set owner = null, heartbeat_at = null, again_at = null,
        result = ${result}, error = ${error},
        state = case when again_at is null then ${release.state} else 'queued' end,
        run_at = coalesce(again_at, run_at),
        key = case when again_at is null then null else key end,
        attempts = case when again_at is null then attempts else 0 end,
        checkpoint = null, finished_at = ${now}
      where ${this.#own(claim)}`);
  }

  /** Ends a job that is not done. */
  cancel(id: string, now: number): Query {
    return this.#query(sql`update recto_jobs set state = 'cancelled', owner = null, heartbeat_at = null, again_at = null,
        key = null, finished_at = ${now}
      where id = ${id} and state in ('queued', 'running')`);
  }

  /** The same for the job that has a key. */
  cancelKey(key: string, now: number): Query {
    return this.#query(sql`update recto_jobs set state = 'cancelled', owner = null, heartbeat_at = null, again_at = null,
        key = null, finished_at = ${now}
      where key = ${key} and state in ('queued', 'running')`);
  }

  /** Queues a job anew that has ended without success, and lets one that waits run now. */
  retry(id: string, now: number): Query {
    return this.#query(sql`update recto_jobs set state = 'queued', run_at = ${now}, attempts = 0, error = null,
        finished_at = null
      where id = ${id} and state in ('queued', 'failed', 'cancelled')`);
  }

  byId(id: string): Query {
    return this.#query(sql`select ${columns} from recto_jobs where id = ${id}`);
  }

  /** The newest first. */
  page(filter: JobFilter, limit: number, offset: number): Query {
    return this.#query(sql`select ${columns} from recto_jobs where ${this.#where(filter)}
      order by created_at desc, id desc limit ${limit} offset ${offset}`);
  }

  count(filter: JobFilter): Query {
    return this.#query(sql`select count(*) as total from recto_jobs where ${this.#where(filter)}`);
  }

  states(): Query {
    return this.#query(sql`select state, count(*) as total from recto_jobs group by state`);
  }

  /** Removes some of those that reached a state before a time. */
  prune(state: JobState, before: number, limit: number): Query {
    return this.#query(sql`delete from recto_jobs where id in (select id from recto_jobs
      where state = ${state} and finished_at < ${before} order by finished_at limit ${sql.lit(limit)})`);
  }

  /** Those that should have run, or been renewed, long ago. */
  stuck(before: number, limit: number): Query {
    return this.#query(sql`select ${columns} from recto_jobs
      where (state = 'queued' and run_at < ${before}) or (state = 'running' and heartbeat_at < ${before})
      order by created_at limit ${sql.lit(limit)}`);
  }

  /** Those with a schedule, which are never given up, that have failed as often as any other would be tried. */
  failing(limit: number): Query {
    return this.#query(sql`select ${columns} from recto_jobs
      where state = 'queued' and attempts >= max_attempts and error is not null
      order by created_at limit ${sql.lit(limit)}`);
  }

  lastBegun(): Query {
    return this.#query(sql`select max(started_at) as at from recto_jobs`);
  }

  failedSince(time: number): Query {
    return this.#query(sql`select count(*) as total from recto_jobs
      where state = 'failed' and finished_at > ${time}`);
  }

  #own({ id, owner, attempts }: Claim): Fragment {
    return sql`id = ${id} and owner = ${owner} and attempts = ${attempts} and state = 'running'`;
  }

  #where({ state, kind, createdBy, tenant }: JobFilter): Fragment {
    const conditions: Fragment[] = [sql`1 = 1`];
    if (state !== undefined) conditions.push(sql`state = ${state}`);
    if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
    if (createdBy !== undefined) conditions.push(sql`created_by = ${createdBy}`);
    if (tenant !== undefined) conditions.push(sql`tenant_id = ${tenant}`);
    return sql.join(conditions, sql` and `);
  }

  #query(statement: Fragment): Query {
    return compiledQuery(statement, this.#dialect);
  }
}
