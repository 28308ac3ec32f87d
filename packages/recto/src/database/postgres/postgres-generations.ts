import type { SQL } from 'bun';
import type { Executor, Generations, Query } from '../database.ts';
import { layouts } from '../schema/layout-generation.ts';
import type { CommitCounters } from './commit-counters.ts';

/** The notification channel of the tables in `public`; those in another schema have one with its name behind it. */
export const changesChannel = (schema: string): string =>
  schema === 'public' ? 'recto_changes' : `recto_changes:${Bun.hash(schema).toString(36)}`;

/** What a notification holds for all names, where they would not fit into one (8,000 bytes). */
const everything = '*';
const longestPayload = 7_000;

const isKept = (name: string): boolean => name.startsWith(`${layouts}:`);

/** With the name by which it is known that any of those that are kept has changed. */
const withLayouts = (names: ReadonlySet<string>): readonly string[] =>
  [...names].some(isKept) ? [...names, layouts] : [...names];

const raiseKept = `INSERT INTO recto_generations (name, generation) VALUES ($1, 1)
  ON CONFLICT (name) DO UPDATE SET generation = recto_generations.generation + 1`;

const readKeptQuery: Query = { sql: 'SELECT name, generation FROM recto_generations', parameters: [] };

/** For how long the listening connection is trusted after its last sign of life, in milliseconds: asked behind the reads' backs, and waited for. */
const askAfterMs = 100;
const waitAfterMs = 250;
/** How long a sign of life may take before nothing remembered is trusted. */
const patienceMs = 2_000;
const restartMs = 500;
/** How long a notification to oneself may take, in milliseconds. */
const echoMs = 5_000;
/** A name that nothing is remembered by. */
const echo = 'recto:echo';

export interface PostgresGenerationsOptions {
  /** Makes a client that does nothing but listen, and calls `lost` when its connection closes. */
  readonly connect: (lost: () => void) => SQL;
  readonly channel: string;
  /** Reads the database. */
  readonly rows: Executor['rows'];
  /** Called when another process has announced a commit. */
  readonly onHeard?: () => void;
  /** What the processes of this machine announce to each other, faster than the database does. */
  readonly counters: CommitCounters | undefined;
}

/**
 * How often the records behind each name have changed, as far as this process has heard: of its own commits before their
 * callers hear of them, of those of processes that share `counters` as well, of all others by a notification that is part
 * of their transactions. The numbers mean nothing outside this process, but those of layouts: they are kept in the database,
 * where transactions read them.
 *
 * A notification is heard as long as the connection that listens lives. So it is asked for a sign of life before what is
 * remembered is trusted, at most every 100 ms; and while there is none, every look finds everything changed.
 * The server delivers what was committed earlier before it answers.
 */
export class PostgresGenerations implements Generations {
  readonly #options: PostgresGenerationsOptions;
  readonly #numbers = new Map<string, number>();
  /** Own notifications are known by it: their names have been counted. */
  #self = crypto.randomUUID();
  /** The numbers that are kept, as of when `layouts` was at `#keptAt`. */
  readonly #kept = new Map<string, number>();
  #keptAt = Number.NaN;
  #all = 0;
  #listener: SQL | undefined;
  #listening = false;
  #restarting: Timer | undefined;
  #closed = false;
  #heardAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #heardItself: (() => void) | undefined;

  constructor(options: PostgresGenerationsOptions) {
    this.#options = options;
  }

  /** Resolves when the server has taken note that this process listens, or cannot be reached; goes on by itself from then on. */
  async listen(): Promise<void> {
    if (this.#closed) return;
    const lost = (): void => {
      if (this.#listener === listener) this.#listening = false;
    };
    const listener = this.#options.connect(lost);
    this.#listener = listener;
    const heard = (payload: string): void => this.#hear(payload);
    // The driver calls this again each time it has connected anew.
    const ready = (): void => {
      if (this.#listener !== listener) return;
      // Whatever was committed before this moment has not been heard.
      this.#all += 1;
      this.#listening = true;
      this.#heardAt = performance.now();
    };
    try {
      await listener.listen(this.#options.channel, heard, ready);
    } catch {
      this.#restart();
    }
  }

  /**
   * Whether notifications come through, which they never do by way of a pooler that gives each transaction another
   * connection. True as well while nobody listens: nothing remembered is used then.
   */
  async hearsItself(send: (notification: Query) => Promise<unknown>): Promise<boolean> {
    if (!this.#listening) return true;
    const heard = Promise.withResolvers<boolean>();
    this.#heardItself = () => heard.resolve(true);
    for (const query of this.announcement(new Set([echo]))) await send(query);
    // Where the connection was lost meanwhile, nobody listens.
    const timer = setTimeout(() => heard.resolve(!this.#listening), echoMs);
    return heard.promise.finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listening = false;
    clearTimeout(this.#restarting);
    await this.#listener?.close({ timeout: 0 });
  }

  /** Gives the connection up and tries another one. */
  #restart(): void {
    this.#listening = false;
    this.#all += 1;
    void this.#listener?.close({ timeout: 0 });
    this.#listener = undefined;
    if (this.#closed) return;
    clearTimeout(this.#restarting);
    this.#restarting = setTimeout(() => void this.listen(), restartMs);
    this.#restarting.unref();
  }

  /** The last statements of a transaction that changed the names: they raise those numbers that are kept. */
  keeping(names: ReadonlySet<string>): readonly Query[] {
    return [...names].filter(isKept).map((name) => ({ sql: raiseKept, parameters: [name] }));
  }

  /** The last statement before a commit of changes of the names: it informs the others. */
  announcement(names: ReadonlySet<string>): readonly Query[] {
    if (names.size === 0) return [];
    const listed = [this.#self, ...withLayouts(names)].join(' ');
    const payload = Buffer.byteLength(listed) > longestPayload ? `${this.#self} ${everything}` : listed;
    return [{ sql: 'SELECT pg_notify($1, $2)', parameters: [this.#options.channel, payload] }];
  }

  /** Counts a commit of this process. */
  committed(names: ReadonlySet<string>): void {
    const raised = withLayouts(names);
    for (const name of raised) this.#raise(name);
    this.#options.counters?.raise(raised);
  }

  /** Counts what may be a commit of this process, and hears of it like another's where it still becomes one. */
  outcomeUnknown(names: ReadonlySet<string>): void {
    this.committed(names);
    this.#self = crypto.randomUUID();
  }

  refresh(): Promise<void> | undefined {
    const sure = this.#makeSure();
    if (sure !== undefined) return sure.then(() => this.#readKept());
    return this.#moved(layouts) === this.#keptAt ? undefined : this.#readKept();
  }

  /** Sees to it that all that was committed is heard of. */
  #makeSure(): Promise<void> | undefined {
    if (!this.#listening) {
      this.#all += 1;
      return undefined;
    }
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs < askAfterMs) return undefined;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return silentMs < waitAfterMs ? undefined : this.#asking;
  }

  of(name: string): number {
    return isKept(name) ? (this.#kept.get(name) ?? 0) : this.#moved(name);
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

  /** The only statement that the driver lets through on the listening connection is another LISTEN. */
  async #ask(): Promise<void> {
    const listener = this.#listener;
    const askedAt = performance.now();
    const timeUp = Promise.withResolvers<undefined>();
    const timer = setTimeout(timeUp.resolve, patienceMs);
    try {
      const answered = listener?.listen(`${this.#options.channel}:ping`, () => undefined);
      const subscription = await Promise.race([answered, timeUp.promise]);
      if (subscription === undefined) return this.#restart();
      this.#heardAt = askedAt;
      // A connection may break between two replies: nobody waits for the second without end either.
      const unlistened = subscription.unlisten().then(() => true);
      if ((await Promise.race([unlistened, timeUp.promise])) === undefined) return this.#restart();
    } catch {
      // Closed, and nobody knows since when no message has come through; callers that wait for the reply must not rely on older numbers.
      this.#all += 1;
    } finally {
      clearTimeout(timer);
    }
  }

  #hear(payload: string): void {
    const [sender, ...names] = payload.split(' ');
    if (sender === this.#self) {
      this.#heardItself?.();
      return;
    }
    if (names[0] === everything) this.#all += 1;
    for (const name of names) this.#raise(name);
    this.#options.onHeard?.();
  }

  #raise(name: string): void {
    this.#numbers.set(name, (this.#numbers.get(name) ?? 0) + 1);
  }
}
