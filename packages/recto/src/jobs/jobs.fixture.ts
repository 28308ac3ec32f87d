import { afterEach } from 'bun:test';
import Type from 'typebox';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import { createLogger } from '../base/logger.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { JobState } from './job.ts';
import type { JobKind } from './job-kind.ts';
import { JobRunner } from './job-runner.ts';
import { Jobs } from './jobs.ts';

/** A kind of job of the tests. */
export const note = { name: 'test.note', payload: Type.Object({ text: Type.String() }), concurrency: 3 };
export const hourMs = 3_600_000;

/** A database and its clock. Every other runner has connections of its own, as another process has. */
class World implements AsyncDisposable {
  now = Date.parse('2026-11-22T10:00:30.000Z');
  readonly database: TestDatabase;
  readonly jobs: Jobs;
  readonly #runners: JobRunner[] = [];
  readonly #others: Database[] = [];

  static async open(): Promise<World> {
    return new World(await openTestDatabase());
  }

  private constructor(database: TestDatabase) {
    this.database = database;
    this.jobs = new Jobs(database, () => this.now);
  }

  /** A runner that hears of the commits of its claims only when `open` resolves. `claimed` resolves with the first. */
  slowToClaim(kinds: readonly JobKind[], open: Promise<void>, claimed: () => void): JobRunner {
    const slow = new Proxy(this.database, {
      get: (database, name) => {
        if (name === 'transaction')
          return async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
            const result = await database.transaction(work);
            if (Array.isArray(result) && result.length > 0) {
              claimed();
              await open;
            }
            return result;
          };
        const value: unknown = Reflect.get(database, name, database);
        return typeof value === 'function' ? value.bind(database) : value;
      },
    });
    return this.#runner(slow, this.jobs, kinds, 30_000);
  }

  /** A runner on this world's connection. */
  runner(kinds: readonly JobKind[]): JobRunner {
    return this.#runner(this.database, this.jobs, kinds, 30_000);
  }

  /** One with a connection of its own, as another process or machine has. */
  async other(kinds: readonly JobKind[], { leaseMs = 30_000, now = () => this.now } = {}): Promise<JobRunner> {
    const database = await this.database.again();
    this.#others.push(database);
    return this.#runner(database, new Jobs(database, now), kinds, leaseMs);
  }

  #runner(database: Database, jobs: Jobs, kinds: readonly JobKind[], leaseMs: number): JobRunner {
    const runner = new JobRunner({ database, jobs, kinds: () => kinds, log: createLogger('silent'), leaseMs });
    this.#runners.push(runner);
    return runner;
  }

  async states(): Promise<Partial<Record<JobState, number>>> {
    return Object.fromEntries(await this.jobs.store.counts());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all(this.#others.map((database) => database.close()));
    await this.database.close();
  }
}

/** Returns what opens a world for a test. It is closed after the test, so each file calls this once. */
export function worldOfEachTest(): () => Promise<World> {
  let world: World | undefined;
  afterEach(async () => {
    await world?.[Symbol.asyncDispose]();
    world = undefined;
  });
  return async () => {
    world = await World.open();
    return world;
  };
}

/** Resolves when the condition holds; the test's time limit ends it otherwise. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(5);
}
