import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FatalError } from '../../base/fatal-error.ts';

/** Names fall into so many counters; those that share one change together. */
const counters = 1024;
const fileBytes = counters * Int32Array.BYTES_PER_ELEMENT;

/**
 * How the processes of one machine announce their commits, without a message: a file in the memory of all of
 * them. Each raises counters after its commits and before it acknowledges them, so that a caller who has the answer finds
 * the counter raised. Reading is one load from memory. Nothing in it lasts: what counts is that a number is another.
 */
export class CommitCounters {
  readonly #counters: Int32Array;

  /**
   * `path` is a file that all processes name alike; made where there is none, for its owner alone. Throws a `FatalError`
   * where it cannot be.
   */
  constructor(path: string) {
    try {
      this.#counters = openCounters(path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new FatalError(
        `The file ${path}, by which processes announce changes, cannot be created or used: ${reason}`,
        error,
      );
    }
  }

  /** The records behind these names have changed by a commit of this process. */
  raise(names: Iterable<string>): void {
    for (const name of names) Atomics.add(this.#counters, placeOf(name), 1);
  }

  /** Another number as soon as any process has raised the name. */
  of(name: string): number {
    return Atomics.load(this.#counters, placeOf(name));
  }
}

function openCounters(path: string): Int32Array {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a', 0o600);
  try {
    // Written, and not only made longer: on a full disk that fails here, and not at the first use of the memory.
    if (fstatSync(file).size < fileBytes) writeSync(file, new Uint8Array(fileBytes));
  } finally {
    closeSync(file);
  }
  const memory = Bun.mmap(path, { shared: true });
  return new Int32Array(memory.buffer, memory.byteOffset, counters);
}

const places = new Map<string, number>();

function placeOf(name: string): number {
  let place = places.get(name);
  if (place === undefined) {
    place = Number(BigInt(Bun.hash(name)) % BigInt(counters));
    places.set(name, place);
  }
  return place;
}
