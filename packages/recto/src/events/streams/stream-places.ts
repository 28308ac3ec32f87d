import { Problem } from '../../base/problem.ts';

export interface StreamLimits {
  /** How many streams a process has open. */
  readonly process: number;
  /** How many of them an account or API token has, or the address of anonymous callers. */
  readonly caller: number;
}

/** Which limit a stream was rejected by. */
export const streamRefusals = ['process', 'caller'] as const;
export type StreamRefusal = (typeof streamRefusals)[number];

const retryAfter = { headers: { 'Retry-After': '5' } };

/** The places for open streams of this process: so many, and so many for one caller. */
export class StreamPlaces {
  readonly #limits: StreamLimits;
  readonly #taken = new Map<string, number>();
  readonly #refused = new Map<StreamRefusal, number>();
  #size = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** How often a stream was rejected. */
  refused(reason: StreamRefusal): number {
    return this.#refused.get(reason) ?? 0;
  }

  /** Takes a place for a caller; returns what gives it back, once. Throws 503 or 429 where there is none. */
  take(caller: string): () => void {
    const own = this.#taken.get(caller) ?? 0;
    if (own >= this.#limits.caller)
      throw this.#refuse('caller', 429, `At most ${this.#limits.caller} streams may be open for one caller.`);
    if (this.#size >= this.#limits.process)
      throw this.#refuse('process', 503, 'The service has as many streams open as it may. Try again later.');
    this.#taken.set(caller, own + 1);
    this.#size += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#size -= 1;
      const left = (this.#taken.get(caller) ?? 1) - 1;
      if (left === 0) this.#taken.delete(caller);
      else this.#taken.set(caller, left);
    };
  }

  #refuse(reason: StreamRefusal, status: 429 | 503, detail: string): Problem {
    this.#refused.set(reason, this.refused(reason) + 1);
    return new Problem(status, 'too_many_streams', detail, retryAfter);
  }
}
