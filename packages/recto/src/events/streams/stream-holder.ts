import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../../base/caller.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { callerFacts, type StreamInterest } from './stream-interest.ts';

/** Whose rights a stream has. */
export interface StreamHolder {
  /** Equal for streams of the same token, and of the same tenant: their rights end together. */
  readonly key: string;
  /** The caller as of now; throws or rejects where the rights have ended. */
  readonly now: () => MaybePromise<Caller>;
}

/** Holders that are looked at before others have their turn. */
const inTurn = 500;

/** Looks at the rights of holders, of each once, however many streams they have. */
export class RightsCheck {
  readonly #known = new Map<string, boolean>();

  /** Whether a holder has the rights that an interest was opened with. */
  holds({ key, now }: StreamHolder, { facts }: Pick<StreamInterest, 'facts'>): MaybePromise<boolean> {
    const place = `${facts}|${key}`;
    return this.#known.get(place) ?? this.#look(place, now, facts);
  }

  async #look(place: string, now: StreamHolder['now'], facts: string): Promise<boolean> {
    if (this.#known.size % inTurn === inTurn - 1) await nextTurn();
    const holds = await hasRights(now, facts);
    this.#known.set(place, holds);
    return holds;
  }
}

async function hasRights(now: StreamHolder['now'], facts: string): Promise<boolean> {
  try {
    return callerFacts(await now()) === facts;
  } catch {
    return false;
  }
}
