import type { Database } from '../../database/database.ts';
import type { JobWork } from '../../jobs/job-kind.ts';
import type { Checkpoint, Progress } from '../progress.ts';
import type { TransferReport } from '../transfer-report.ts';

/** What is kept between attempts, and shown with the transfer. */
export interface KeptTransfer {
  readonly phase: string;
  /** What earlier attempts have stored, by kind; another attempt finds it there. */
  readonly taken: Readonly<Record<string, number>>;
}

/** How often progress is stored at most, in milliseconds. */
const everyMs = 1_000;

/** What a job kept, which only a `TransferWatch` writes. */
export const keptOf = ({ checkpoint }: Pick<JobWork, 'checkpoint'>): KeptTransfer | null =>
  checkpoint as KeptTransfer | null;

/** Follows a transfer for its job: stores how far it is, and ends it when the job does not belong to this run any more. */
export class TransferWatch implements Disposable {
  readonly #database: Database;
  readonly #work: JobWork;
  readonly #earlier: Readonly<Record<string, number>>;
  readonly #timer: Timer;
  #phase = '';
  #progress = { done: 0, total: 0 };
  #taken: Readonly<Record<string, number>>;
  #stored = '';
  #storing: Promise<void> | undefined;
  #storedAt = performance.now();
  #failure: { readonly reason: unknown } | undefined;

  constructor(database: Database, work: JobWork) {
    this.#database = database;
    this.#work = work;
    this.#earlier = keptOf(work)?.taken ?? {};
    this.#taken = this.#earlier;
    this.#timer = setInterval(() => void this.#store(), everyMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  readonly progress: Progress = (phase, done, total) => {
    this.#work.signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.reason;
    this.#phase = phase;
    this.#progress = { done: Math.min(done, total), total };
  };

  readonly checkpoint: Checkpoint = async (counts) => {
    const all = new Set([...Object.keys(this.#earlier), ...counts.map(({ kind }) => kind)]);
    this.#taken = Object.fromEntries(
      [...all].map((kind) => [
        kind,
        (this.#earlier[kind] ?? 0) + (counts.find((count) => count.kind === kind)?.taken ?? 0),
      ]),
    );
    if (performance.now() - this.#storedAt >= everyMs) await this.#store();
    this.progress(this.#phase, this.#progress.done, this.#progress.total);
  };

  /** Stores how far it came in the end: what is stored may be a second old. */
  async end(): Promise<void> {
    await this.#storing;
    await this.#store();
  }

  /** A report that counts what earlier attempts have stored as stored, and not as found. */
  completed(report: TransferReport): TransferReport {
    const counts = report.counts.map((count) => {
      const earlier = Math.min(this.#earlier[count.kind] ?? 0, count.before);
      return { ...count, taken: count.taken + earlier, before: count.before - earlier };
    });
    return { ...report, counts };
  }

  /** One at a time. Not waited for within a transaction: on some databases it comes after that. */
  #store(): Promise<void> {
    this.#storing ??= this.#storeNow().finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #storeNow(): Promise<void> {
    const kept = { progress: this.#progress, checkpoint: { phase: this.#phase, taken: this.#taken } };
    const text = JSON.stringify(kept);
    if (this.#phase === '' || text === this.#stored) return;
    try {
      await this.#database.transaction((transaction) => this.#work.keep(transaction, kept));
      this.#stored = text;
    } catch (reason) {
      this.#failure = { reason };
    }
    this.#storedAt = performance.now();
  }
}
