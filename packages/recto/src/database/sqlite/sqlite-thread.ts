import { setTimeout as pause } from 'node:timers/promises';
import { type BunWorker, bunWorker } from '../../base/bun-worker.ts';
import { programUrl } from '../../base/program.ts';
import type { Observe, Query } from '../database.ts';
import { outageProblem, shuttingDown, storageFailed } from '../outage-problem.ts';
import type { ThreadConnection } from './sqlite-file.ts';
import type { StatementTime } from './statement-time.ts';
import type { Ask, ThreadFailure, ThreadOutcome, ToThread } from './thread-messages.ts';

/** A statement for a thread, and who waits for it. */
export interface ThreadJob {
  readonly ask: Ask;
  readonly query: Query;
  /** Called before `resolve` or `reject`; undefined: it did not run to an end. */
  readonly settle: (time: StatementTime | undefined) => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How long a thread that has nothing to do is waited for when it is to end, in milliseconds. */
const closingMs = 1000;

/**
 * A thread with a connection of its own to a SQLite file, which runs one statement after the other. It starts with its first
 * statement, and once more with the next one if it has died; what it had then is rejected with a 503 `Problem`.
 */
export class SqliteThread {
  readonly #connection: ThreadConnection;
  readonly #observe: Observe | undefined;
  readonly #jobs = new Map<number, ThreadJob>();
  #worker: BunWorker | undefined;
  #number = 0;

  /** `observe` is called with the time of each statement. */
  constructor(connection: ThreadConnection, observe?: Observe) {
    this.#connection = connection;
    this.#observe = observe;
  }

  /** The system's thread; undefined while there is none. */
  get worker(): BunWorker | undefined {
    return this.#worker;
  }

  run(job: ThreadJob): void {
    const { ask, query } = job;
    this.#number += 1;
    const number = this.#number;
    this.#jobs.set(number, job);
    try {
      this.#worker ??= this.#start();
      send(this.#worker, { run: { number, ask, query } });
    } catch (error) {
      // Later, since whoever is answered starts the next one, for as many as wait.
      queueMicrotask(() => this.#refuse(number, died(error instanceof Error ? error.message : String(error))));
    }
    // A process lives for an answer that somebody waits for, and not for an idle thread.
    if (this.#jobs.size === 1) this.#worker?.ref();
  }

  /** Ends it. A statement that runs is rejected and not waited for. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    if (this.#jobs.size > 0) {
      this.#end(shuttingDown());
      return;
    }
    this.#worker = undefined;
    const closed = new Promise((resolve) => worker.addEventListener('close', resolve));
    worker.ref();
    send(worker, 'close');
    await Promise.race([closed, pause(closingMs, undefined, { ref: false })]);
    worker.terminate();
  }

  #start(): BunWorker {
    const worker = bunWorker(
      new Worker(programUrl('./sqlite-thread.worker.ts', import.meta.url), { name: 'recto database', smol: true }),
    );
    const end = (reason: string): void => {
      if (this.#worker === worker) this.#end(died(reason));
    };
    worker.onmessage = ({ data }: MessageEvent<ThreadOutcome>) => this.#take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end(event.message);
    };
    worker.addEventListener('close', () => end('it ended'));
    send(worker, { open: this.#connection });
    return worker;
  }

  #take({ number, time, result }: ThreadOutcome): void {
    const job = this.#takeOut(number);
    if (job === undefined) return;
    this.#observe?.(time.seconds);
    job.settle(time);
    if ('failure' in result) job.reject(errorOf(result.failure));
    else job.resolve(result.value);
  }

  #refuse(number: number, error: unknown): void {
    const job = this.#takeOut(number);
    job?.settle(undefined);
    job?.reject(error);
  }

  #takeOut(number: number): ThreadJob | undefined {
    const job = this.#jobs.get(number);
    this.#jobs.delete(number);
    if (this.#jobs.size === 0) this.#worker?.unref();
    return job;
  }

  #end(error: unknown): void {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const job of jobs) {
      job.settle(undefined);
      job.reject(error);
    }
  }
}

const send = (worker: Worker, message: ToThread): void => worker.postMessage(message);

const died = (reason: string) => storageFailed(new Error(`A thread of the database has died: ${reason}.`));

function errorOf({ name, message, stack, code, fault }: ThreadFailure): unknown {
  const error = Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) });
  if (stack !== undefined) error.stack = stack;
  return outageProblem(fault, error);
}
