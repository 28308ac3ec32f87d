import { memoryCounters, type RateCounters } from '../../auth/rate-counters.ts';
import { unavailable } from '../../base/problem.ts';
import type { Question, ToSupervisor } from './messages.ts';

/** The supervisor answers in well under a millisecond, unless it is gone or has no time. */
const patienceMs = 2_000;

/** Asks the supervisor about all workers. */
export class SupervisorClient {
  readonly #send: (message: ToSupervisor) => void;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  readonly #ownCounters = memoryCounters();
  #asked = 0;

  constructor(send: (message: ToSupervisor) => void) {
    this.#send = send;
  }

  /** Takes an answer of the supervisor. */
  receive(id: number, answer: unknown): void {
    this.#waiting.get(id)?.(answer);
  }

  /** Counters that all workers share; without the supervisor, this worker's own. */
  readonly counters: RateCounters = {
    count: async (allowance, key) => {
      const wait = await this.#ask({ about: 'call', allowance, key });
      return typeof wait === 'number' ? wait : this.#ownCounters.count(allowance, key);
    },
  };

  /** Rejects with 503 when the supervisor does not answer: partial figures would look like a restart. */
  readonly metricsText = async (): Promise<string> => {
    const text = await this.#ask({ about: 'metrics' });
    if (typeof text !== 'string') throw unavailable('busy', 'The metrics of all workers are not available.');
    return text;
  };

  /** Rejects unless this many workers serve. */
  readonly checkWorkers = async (wanted: number): Promise<void> => {
    const serving = await this.#ask({ about: 'workers' });
    if (serving !== wanted) throw new Error(`${serving ?? 'an unknown number'} of ${wanted} workers serve`);
  };

  /** The answer, or undefined when none comes in time. */
  #ask(question: Question): Promise<unknown> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const finish = (answer: unknown): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(finish, patienceMs, undefined);
      this.#waiting.set(id, finish);
      this.#send({ kind: 'ask', id, question });
    });
  }
}
