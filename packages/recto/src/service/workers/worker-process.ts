import { StartRefused } from '../../base/start-refused.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import type { Assignment, Question, ToSupervisor, ToWorker } from './messages.ts';

/** How a worker's process ended. */
export interface WorkerEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** One process that serves, as the supervisor sees it. */
export class WorkerProcess {
  readonly startedAt = performance.now();
  /** Resolves when it listens; rejects with a `StartRefused` when it ends before. */
  readonly listening: Promise<void>;
  readonly ended: Promise<WorkerEnd>;
  readonly #answer: (question: Question) => unknown;
  readonly #child: Bun.Subprocess;
  readonly #loaded = Promise.withResolvers<void>();
  readonly #listening = Promise.withResolvers<void>();
  #silentTicks = 0;
  #isLoaded = false;
  #isServing = false;
  #hasEnded = false;
  #measured: ((snapshot: MetricSnapshot | undefined) => void) | undefined;

  /** `answer` is asked what the worker asks. */
  constructor(command: readonly string[], answer: (question: Question) => unknown) {
    this.#answer = answer;
    const ended = Promise.withResolvers<WorkerEnd>();
    this.ended = ended.promise;
    this.listening = this.#listening.promise;
    // Whoever wants to know awaits it; a replacement that fails is told by its end.
    this.listening.catch(() => undefined);
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
        this.#listening.reject(new StartRefused(`A worker ended before it could serve (${describeEnd(end)}).`));
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

  /** Resolves, or rejects, as `listening` does. */
  async serve(assignment: Assignment): Promise<void> {
    await Promise.race([this.#loaded.promise, this.listening]);
    this.send({ kind: 'serve', assignment });
    await this.listening;
  }

  /** Counts one look at it; tells after how many looks nothing has been heard of it. */
  look(): number {
    this.#silentTicks += 1;
    return this.#silentTicks;
  }

  send(message: ToWorker): void {
    try {
      this.#child.send(message);
    } catch {
      // It is gone: `ended` tells.
    }
  }

  /** Lets it finish what it does and end; one that has not loaded yet does nothing. Resolves with whether it stopped in order. */
  async stop(): Promise<boolean> {
    // It was told of when it died.
    if (this.#hasEnded) return true;
    if (!this.#isLoaded) {
      this.kill();
      await this.ended;
      return true;
    }
    this.send({ kind: 'drain' });
    return (await this.ended).exitCode === 0;
  }

  /** What it tells of itself; undefined when it does not in time. Asked for once at a time. */
  async measure(): Promise<MetricSnapshot | undefined> {
    if (!this.#isServing) return undefined;
    const told = Promise.withResolvers<MetricSnapshot | undefined>();
    this.#measured = told.resolve;
    const timer = setTimeout(told.resolve, measureMs, undefined);
    this.send({ kind: 'measure' });
    void this.ended.then(() => told.resolve(undefined));
    return told.promise.finally(() => clearTimeout(timer));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #reply(id: number, question: Question): Promise<void> {
    // A question that fails is one without an answer: the worker does without.
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
      case 'refused':
        this.#listening.reject(new StartRefused(message.message));
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

/** Half of what whoever asked for the metrics of all waits. */
const measureMs = 1_000;

/** `signal SIGKILL`, `exit code 1`. */
export const describeEnd = ({ exitCode, signal }: WorkerEnd): string =>
  signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
