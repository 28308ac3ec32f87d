import { CommitListeners } from '../database/commit-listeners.ts';
import type { Database } from '../database/database.ts';

/** How often the log is looked at for what other processes have committed, in milliseconds. */
const lookEveryMs = 100;

/** How soon after a look the next one comes, in milliseconds: under load each commit asks for one. */
const pauseMs = 10;

/**
 * Finds out that there are new events: at once after a commit of this process, and by looking for those of others. Does nothing
 * while nobody listens.
 */
export class NewEvents {
  readonly #database: Pick<Database, 'onCommit'>;
  readonly #last: () => Promise<number>;
  readonly #listeners = new CommitListeners();
  #listening = 0;
  #stop: (() => void) | undefined;
  #seen = 0;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  /** `last` returns the number of the last event. */
  constructor(database: Pick<Database, 'onCommit'>, last: () => Promise<number>) {
    this.#database = database;
    this.#last = last;
  }

  /** The first call of the listener comes soon, without a new event. */
  add(listener: () => void): () => void {
    const remove = this.#listeners.add(listener);
    this.#listening += 1;
    this.#stop ??= this.#begin();
    this.#seen = -1;
    this.#look();
    return () => {
      remove();
      this.#listening -= 1;
      if (this.#listening > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #begin(): () => void {
    const look = () => this.#look();
    const ignore = this.#database.onCommit(look);
    const timer = setInterval(look, lookEveryMs);
    timer.unref();
    return () => {
      ignore();
      clearInterval(timer);
    };
  }

  #look(): void {
    if (this.#looking !== undefined) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#compareAndPause().finally(() => {
      this.#looking = undefined;
      if (!this.#lookAgain || this.#listening === 0) return;
      this.#lookAgain = false;
      this.#look();
    });
  }

  async #compareAndPause(): Promise<void> {
    await this.#compare();
    await Bun.sleep(pauseMs);
  }

  async #compare(): Promise<void> {
    try {
      const last = await this.#last();
      if (last === this.#seen) return;
      this.#seen = last;
      this.#listeners.call();
    } catch {
      // A database that is away or closed: the next look finds what is new.
    }
  }
}
