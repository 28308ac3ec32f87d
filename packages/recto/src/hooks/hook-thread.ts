import { type BunWorker, bunWorker } from '../base/bun-worker.ts';
import { programUrl } from '../base/program.ts';
import type { SendMail } from './hook-mail.ts';
import { errorOf, plainError } from './plain-error.ts';
import type { SendCall } from './record-call.ts';
import type { FromThread, ThreadTask, ToThread } from './thread-messages.ts';

/** A handler took longer than it may. */
export class HookTimeout extends Error {
  override readonly name = 'HookTimeout';
}

/** The thread had ended, by what an earlier handler left behind in it, before the handler began: another thread can run it. */
export class ThreadGone extends Error {
  override readonly name = 'ThreadGone';
}

export interface ThreadRun {
  readonly task: ThreadTask;
  readonly timeoutMs: number;
  /** Ends the run before its time. */
  readonly signal?: AbortSignal | undefined;
  /** Carries out what the handler asks of the content. */
  readonly send: SendCall;
  /** Puts a mail of the handler into the outbox. */
  readonly mail: SendMail;
}

/** How long a handler may take to end once it has been asked to, before its thread is ended. In milliseconds. */
const graceMs = 500;
/** How long a file may take to load, in milliseconds: a machine that is busy does not count as the handler's time. */
const loadMs = 10_000;

interface Running {
  readonly run: number;
  readonly send: SendCall;
  readonly mail: SendMail;
  readonly outcome: PromiseWithResolvers<string | null>;
  /** Called when the handler begins. */
  readonly began: () => void;
  hasBegun: boolean;
}

/** A thread that runs one handler at a time. One that does not end in time is ended with its thread: nobody else is in it. */
export class HookThread {
  readonly #worker: BunWorker;
  readonly #ended = Promise.withResolvers<void>();
  #runs = 0;
  #running: Running | undefined;
  #isAlive = true;

  constructor() {
    this.#worker = bunWorker(
      new Worker(programUrl('./hook-thread.worker.ts', import.meta.url), { name: 'recto hooks', smol: true }),
    );
    this.#worker.unref();
    this.#worker.onmessage = ({ data }: MessageEvent<FromThread>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    this.#worker.addEventListener('close', () => {
      this.#fail('The handler ended its thread.');
      this.#ended.resolve();
    });
  }

  /** Whether it can run anything further. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /**
   * Runs a handler. Resolves with what it returned, as JSON text; rejects with what it threw, with `HookTimeout`, or with `ThreadGone` where
   * nothing of it was run.
   */
  async run({ task, timeoutMs, signal, send, mail }: ThreadRun): Promise<string | null> {
    this.#runs += 1;
    const late = (ms: number): Timer =>
      setTimeout(() => this.#stop(running, new HookTimeout(`It took more than ${ms / 1000} s.`)), ms);
    let timer = late(loadMs);
    const began = (): void => {
      running.hasBegun = true;
      clearTimeout(timer);
      timer = late(timeoutMs);
    };
    const outcome = Promise.withResolvers<string | null>();
    const running: Running = { run: this.#runs, send, mail, outcome, began, hasBegun: false };
    this.#running = running;
    const abort = (): void => this.#stop(running, new Error('It was ended before its time.'));
    signal?.addEventListener('abort', abort);
    this.#post({ kind: 'run', run: running.run, task });
    try {
      return await running.outcome.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (this.#running === running) this.#running = undefined;
    }
  }

  end(): Promise<void> {
    this.#end(new Error('The service stops.'));
    return this.#ended.promise;
  }

  /** Asks a handler to end. If it does not, its thread is ended; what it does meanwhile changes nothing any more. */
  #stop(running: Running, reason: Error): void {
    if (this.#running !== running) return;
    this.#post({ kind: 'abort', run: running.run });
    const timer = setTimeout(() => {
      if (this.#running === running) this.#end(reason);
    }, graceMs);
    running.outcome.promise.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  }

  /** The thread ends by itself: by the handler, or by what an earlier one left behind. */
  #fail(reason: string): void {
    const isEarlier = this.#running?.hasBegun === false && this.#runs > 1;
    this.#end(isEarlier ? new ThreadGone(reason) : new Error(reason));
  }

  #end(reason: Error): void {
    if (this.#isAlive) this.#worker.terminate();
    this.#isAlive = false;
    this.#running?.outcome.reject(reason);
    this.#running = undefined;
  }

  #take(message: FromThread): void {
    const running = this.#running;
    if (running === undefined || message.run !== running.run) return;
    switch (message.kind) {
      case 'began':
        running.began();
        return;
      case 'call':
        void this.#answer(message.call, () => running.send(message.request));
        return;
      case 'mail':
        void this.#answer(message.call, async () => {
          await running.mail(JSON.parse(message.mail));
          return null;
        });
        return;
      case 'done':
        running.outcome.resolve(message.text);
        return;
      case 'failed':
        running.outcome.reject(errorOf(message.error));
        return;
    }
  }

  async #answer(call: number, carryOut: () => Promise<string | null>): Promise<void> {
    try {
      const text = await carryOut();
      this.#post({ kind: 'answer', call, text });
    } catch (error) {
      this.#post({ kind: 'rejected', call, error: plainError(error) });
    }
  }

  #post(message: ToThread): void {
    if (this.#isAlive) this.#worker.postMessage(message);
  }
}
