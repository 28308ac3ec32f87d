import type { SQL } from 'bun';
import type { Executor, Generations, Query } from '../database.ts';
import { layouts } from '../schema-generations.ts';
import type { CommitCounters } from './commit-counters.ts';
import { runQuery } from './postgres-client.ts';

const isKept = (name: string): boolean => name.startsWith(`${layouts}:`);

/** With the name by which it is known that any of those that are kept has changed. */
export const withLayouts = (names: ReadonlySet<string>): readonly string[] =>
  [...names].some(isKept) ? [...names, layouts] : [...names];

const raiseKept = `INSERT INTO recto_generations (name, generation) VALUES ($1, 1)
  ON CONFLICT (name) DO UPDATE SET generation = recto_generations.generation + 1`;

const readKeptQuery: Query = { sql: 'SELECT name, generation FROM recto_generations', parameters: [] };

/** For how long a look counts, in milliseconds: then there is another one behind the reads' backs, and one that is waited for. */
const lookAfterMs = 100;
const waitAfterMs = 250;
/** How long a look may take before nothing remembered is trusted. */
const patienceMs = 2_000;
/** How soon after a look that failed there is another one. */
const againMs = 500;

export interface PostgresGenerationsOptions {
  /** Makes a client of one connection that does nothing but look, so that no slow read is in its way. */
  readonly connect: () => SQL;
  /** A row for each `name` that others than this process have changed, with another `mark` after each commit: see `CommitMarks`. */
  readonly marks: () => Query;
  /** Reads the database. */
  readonly rows: Executor['rows'];
  /** Called when another process has committed something. */
  readonly onChange?: () => void;
  /** What the processes of this machine announce to each other, faster than the database does. */
  readonly counters: CommitCounters | undefined;
}

/**
 * How often the records behind each name have changed, as far as this process knows: of its own commits before their callers
 * hear of them, of those of processes that share `counters` as well, of all others by the marks that every commit leaves. The
 * numbers mean nothing outside this process, but those of layouts: they are kept in the database, where transactions read them.
 *
 * Marks are looked at before what is remembered is trusted, at most every 100 ms, so what is trusted is 250 ms old at most. While
 * they cannot be looked at, every refresh finds everything changed. A notification would be heard earlier, but PostgreSQL commits
 * transactions that notify one after the other, and one that is lost would have to be made up for by looking.
 */
export class PostgresGenerations implements Generations {
  readonly #options: PostgresGenerationsOptions;
  readonly #numbers = new Map<string, number>();
  /** The numbers that are kept, as of when `layouts` was at `#keptAt`. */
  readonly #kept = new Map<string, number>();
  #keptAt = Number.NaN;
  #all = 0;
  #client: SQL | undefined;
  #marks: ReadonlyMap<string, string> = new Map();
  /** When the last look that succeeded began; never, or as if never since one has failed. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #failedAt: number | undefined;
  #looking: Promise<void> | undefined;
  #closed = false;

  constructor(options: PostgresGenerationsOptions) {
    this.#options = options;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#failedAt ??= performance.now();
    await this.#client?.close({ timeout: 0 });
  }

  /** The last statement of a transaction that changed the names: they raise those numbers that are kept. */
  keeping(names: ReadonlySet<string>): readonly Query[] {
    return [...names].filter(isKept).map((name) => ({ sql: raiseKept, parameters: [name] }));
  }

  /** Counts a commit of this process, or what may be one. */
  committed(names: ReadonlySet<string>): void {
    const raised = withLayouts(names);
    for (const name of raised) this.#raise(name);
    this.#options.counters?.raise(raised);
  }

  refresh(how?: 'now'): Promise<void> | undefined {
    const sure = how === 'now' ? this.#lookAfresh() : this.#makeSure();
    if (sure !== undefined) return sure.then(() => this.#readKept());
    return this.#moved(layouts) === this.#keptAt ? undefined : this.#readKept();
  }

  of(name: string): number {
    return isKept(name) ? (this.#kept.get(name) ?? 0) : this.#moved(name);
  }

  /** Sees to it that what was committed a moment ago is known. */
  #makeSure(): Promise<void> | undefined {
    if (this.#failedAt !== undefined) {
      // What is remembered between two looks that fail is of no use.
      this.#all += 1;
      if (performance.now() - this.#failedAt >= againMs) void this.#look();
      return undefined;
    }
    const ageMs = performance.now() - this.#lookedAt;
    if (ageMs < lookAfterMs) return undefined;
    const looking = this.#look();
    return ageMs < waitAfterMs ? undefined : looking;
  }

  /** A look that begins after this call. */
  async #lookAfresh(): Promise<void> {
    await this.#looking;
    await this.#look();
  }

  /** Never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#compareMarks()
      .catch(() => this.#failed())
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #compareMarks(): Promise<void> {
    const began = performance.now();
    const rows = await this.#readMarks();
    if (rows === undefined || this.#closed) return this.#failed();
    const marks = new Map(rows.map(({ name, mark }) => [name, mark]));
    const changed = [...marks].filter(([name, mark]) => this.#marks.get(name) !== mark);
    for (const [name] of changed) this.#raise(name);
    this.#marks = marks;
    this.#lookedAt = began;
    this.#failedAt = undefined;
    if (changed.length > 0) this.#options.onChange?.();
  }

  #failed(): void {
    this.#all += 1;
    this.#failedAt = performance.now();
  }

  /** Undefined where the database does not answer; then the connection is given up. */
  async #readMarks(): Promise<readonly { readonly name: string; readonly mark: string }[] | undefined> {
    if (this.#closed) return undefined;
    this.#client ??= this.#options.connect();
    const client = this.#client;
    const timeUp = Promise.withResolvers<undefined>();
    const timer = setTimeout(timeUp.resolve, patienceMs);
    try {
      const reading = runQuery<{ name: string; mark: string }>(client, this.#options.marks());
      // Where the time is up, nobody looks at what becomes of it.
      reading.catch(() => undefined);
      const rows = await Promise.race([reading, timeUp.promise]);
      if (rows !== undefined) return rows;
    } catch {
      // Lost, or the server is away.
    } finally {
      clearTimeout(timer);
    }
    this.#client = undefined;
    client.close({ timeout: 0 }).catch(() => undefined);
    return undefined;
  }

  /** Reads what is kept, if that has changed since it was read. */
  async #readKept(): Promise<void> {
    // The number first: what is committed in between is read now and looked for once more at the next look.
    const moved = this.#moved(layouts);
    if (moved === this.#keptAt) return;
    const rows = await this.#options.rows<{ name: string; generation: number }>(readKeptQuery);
    for (const { name, generation } of rows) this.#kept.set(name, generation);
    this.#keptAt = moved;
  }

  #moved(name: string): number {
    return this.#all + (this.#numbers.get(name) ?? 0) + (this.#options.counters?.of(name) ?? 0);
  }

  #raise(name: string): void {
    this.#numbers.set(name, (this.#numbers.get(name) ?? 0) + 1);
  }
}
