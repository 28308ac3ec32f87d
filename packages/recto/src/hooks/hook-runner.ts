import { conflict, Problem } from '../base/problem.ts';
import type { Records } from '../records/records.ts';
import type { HookCounts, HookPhase } from './hook-counts.ts';
import { HookError } from './hook-error.ts';
import type { SendMail } from './hook-mail.ts';
import { HookTimeout } from './hook-thread.ts';
import { HookThreads } from './hook-threads.ts';
import { timeoutMs } from './loaded-code.ts';
import { type CallRights, callRecords } from './record-calls.ts';
import type { ThreadTask } from './thread-messages.ts';

interface RunFile {
  readonly file: string;
}

export const mailOff = (): Problem => conflict('mail_off', 'Mail is off: RECTO_MAIL_URL is not set.');

export interface HookRun {
  readonly task: ThreadTask;
  readonly signal?: AbortSignal;
  readonly records: Records;
  readonly rights: CallRights;
  readonly timeout?: number | undefined;
}

/** Runs handlers in threads: those of routes in some, those of hooks and jobs in others, so that neither waits for the other. */
export class HookRunner {
  readonly #counts: HookCounts;
  /** Puts mails of handlers into the outbox; the service sets it once it has one. */
  mail: SendMail = () => Promise.reject(mailOff());
  #routes = new HookThreads({ threads: 4, waiting: 256 });
  #work = new HookThreads({ threads: 4, waiting: 256 });

  constructor(counts: HookCounts) {
    this.#counts = counts;
  }

  /** Resolves with what the handler returned, as JSON text. Rejects with the `Problem` that it threw, or with `HookError`. */
  async run({ file }: RunFile, { task, signal, records, rights, timeout }: HookRun): Promise<string | null> {
    const threads = task.phase === 'route' ? this.#routes : this.#work;
    const done = this.#counts.begin(task.phase satisfies HookPhase);
    try {
      const text = await threads.run({
        task,
        timeoutMs: timeoutMs(timeout === undefined ? {} : { timeout }),
        signal,
        send: (call) => callRecords(records, rights, call),
        mail: this.mail,
      });
      done('ok');
      return text;
    } catch (error) {
      done(error instanceof HookTimeout ? 'timeout' : 'error');
      if (error instanceof Problem) throw error;
      throw new HookError(file, `${task.phase} failed`, error);
    }
  }

  /** The next handlers run in new threads, which load the files as they are then. */
  async restart(): Promise<void> {
    const old = [this.#routes, this.#work];
    this.#routes = new HookThreads({ threads: 4, waiting: 256 });
    this.#work = new HookThreads({ threads: 4, waiting: 256 });
    await Promise.all(old.map((threads) => threads.close()));
  }

  async close(): Promise<void> {
    await Promise.all([this.#routes.close(), this.#work.close()]);
  }
}
