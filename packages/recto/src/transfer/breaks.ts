import { setImmediate as nextTurn } from 'node:timers/promises';

/** After so many milliseconds of work without a break all else that the process does gets its turn. */
const sliceMs = 5;

/** Breaks in long work of a process that also answers requests. */
export class Breaks {
  #end = performance.now() + sliceMs;

  /** Call often: undefined while there is time left. */
  next(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + sliceMs;
  }
}
