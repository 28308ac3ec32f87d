import { FatalError } from '../../base/fatal-error.ts';
import type { Settings } from '../../config/settings.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import type { Assignment, Completed, Preparation, Prepared, Question, ToSupervisor, ToWorker } from './messages.ts';

/** How a worker's process ended. */
export interface WorkerEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** One process that serves, as the supervisor sees it. */
export class WorkerProcess {
  readonly startedAt = performance.now();
  /** Resolves when it listens; rejects with a `FatalError` when it ends before. */
  readonly listening: Promise<void>;
  readonly ended: Promise<WorkerEnd>;
  readonly #answer: (question: Question) => unknown;
  readonly #child: Bun.Subprocess;
  readonly #loaded = Promise.withResolvers<void>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #prepared = Promise.withResolvers<Prepared>();
  readonly #completed = Promise.withResolvers<Completed>();
  #silentTicks = 0;
  #isLoaded = false;
  #isServing = false;
  #hasEnded = false;
  #measured: ((snapshot: MetricSnapshot | undefined) => void) | undefined;

  /** `answer` handles the worker's questions. */
  constructor(command: readonly string[], answer: (question: Question) => unknown) {
    this.#answer = answer;
    const ended = Promise.withResolvers<WorkerEnd>();
    this.ended = ended.promise;
    this.listening = this.#listening.promise;
    // Callers that need it await it; a replacement that fails is noticed when it ends.
    for (const step of this.#steps) step.promise.catch(() => undefined);
    this.#child = Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      serialization: 'advanced',
      // Nothing but workers writes to this channel.
      ipc: (message) => this.#receive(message as ToSupervisor),
      onExit: (_, exitCode, signalCode) => {
        this.#isServing = false;
        this.#hasEnded = true;
        const end = { exitCode, signal: signalCode === null ? null : String(signalCode) };
        this.#fail(`A worker ended before it could serve (${describeEnd(end)}).`);
        ended.resolve(end);
      },
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Whether it listens, and lives. */
  get serving(): boolean {
    return this.#isServing;
  }

  /** Has it do what is done once for all workers; it serves after that. Rejects with the `FatalError` that prevents it. */
  async prepare(preparation: Preparation): Promise<Prepared> {
    await Promise.race([this.#loaded.promise, this.#prepared.promise]);
    this.send({ kind: 'prepare', preparation });
    return this.#prepared.promise;
  }

  /** Has it read what it can expect to serve; one that has not loaded by `serve` does without. */
  async expect(settings: Settings): Promise<void> {
    await this.#loaded.promise;
    this.send({ kind: 'expect', settings });
  }

  /** Has it do what is left to do when all workers listen. */
  complete(): Promise<Completed> {
    this.send({ kind: 'complete' });
    return this.#completed.promise;
  }

  /** Resolves, or rejects, as `listening` does. */
  async serve(assignment: Assignment): Promise<void> {
    await Promise.race([this.#loaded.promise, this.listening]);
    this.send({ kind: 'serve', assignment });
    await this.listening;
  }

  /** Counts one look at it; returns how many looks ago it was last heard. */
  look(): number {
    this.#silentTicks += 1;
    return this.#silentTicks;
  }

  send(message: ToWorker): void {
    try {
      this.#child.send(message);
    } catch {
      // It is gone; `ended` resolves.
    }
  }

  /** Lets it finish what it does and end; one that has not loaded yet does nothing. Resolves with whether it stopped in order. */
  async stop(): Promise<boolean> {
    // Its death was reported when it happened.
    if (this.#hasEnded) return true;
    if (!this.#isLoaded) {
      this.kill();
      await this.ended;
      return true;
    }
    this.send({ kind: 'drain' });
    return (await this.ended).exitCode === 0;
  }

  /** Its metrics; undefined if it does not answer in time. One request at a time. */
  async measure(): Promise<MetricSnapshot | undefined> {
    if (!this.#isServing) return undefined;
    const answered = Promise.withResolvers<MetricSnapshot | undefined>();
    this.#measured = answered.resolve;
    const timer = setTimeout(answered.resolve, measureMs, undefined);
    this.send({ kind: 'measure' });
    void this.ended.then(() => answered.resolve(undefined));
    return answered.promise.finally(() => clearTimeout(timer));
  }

  get #steps() {
    return [this.#prepared, this.#listening, this.#completed];
  }

  /** Ends all steps of its start that have not been taken. */
  #fail(message: string): void {
    for (const step of this.#steps) step.reject(new FatalError(message));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #reply(id: number, question: Question): Promise<void> {
    // A failed question gets no answer; the worker copes without.
    const answer = await Promise.try(this.#answer, question).catch(() => undefined);
    this.send({ kind: 'answer', id, answer });
  }

  #receive(message: ToSupervisor): void {
    this.#silentTicks = 0;
    switch (message.kind) {
      case 'loaded':
        this.#isLoaded = true;
        this.#loaded.resolve();
        break;
      case 'listening':
        this.#isServing = true;
        this.#listening.resolve();
        break;
      case 'prepared':
        this.#prepared.resolve(message.prepared);
        break;
      case 'completed':
        this.#completed.resolve(message.completed);
        break;
      case 'refused':
        this.#fail(message.message);
        break;
      case 'beat':
        break;
      case 'snapshot':
        this.#measured?.(message.snapshot);
        break;
      case 'ask':
        void this.#reply(message.id, message.question);
        break;
    }
  }
}

/** Half of how long a worker waits for the metrics of all. */
const measureMs = 1_000;

/** `signal SIGKILL`, `exit code 1`. */
export const describeEnd = ({ exitCode, signal }: WorkerEnd): string =>
  signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
