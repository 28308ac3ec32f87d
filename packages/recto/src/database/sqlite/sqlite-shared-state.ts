import { randomInt } from 'node:crypto';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** What the processes of one machine that have the same database open share, in memory. */
export interface SharedState {
  /** Another number as soon as any of them has committed; before the commit is acknowledged. */
  commits(): number;
  committed(): void;
  /** This process waits for its turn to write. To be called repeatedly while it does. */
  waits(): void;
  /** Whether another process waits, as of some milliseconds ago. */
  othersWait(): boolean;
}

/** Places in the file, of four bytes each. */
const commitsAt = 0;
const waitedAt = 1;
const waiterAt = 2;

/** The smallest unit that is mapped. */
const fileBytes = 4096;

/** A process that waits says so every millisecond or two; one that was killed meanwhile is forgotten after this time. */
const waitingMs = 25;

/**
 * Maps the file beside a database, and makes it where there is none; undefined where the system cannot do that. It holds
 * nothing that lasts: `PRAGMA data_version` shows the same, at the cost of a microsecond or two for each look.
 */
export function openSharedState(databasePath: string): SharedState | undefined {
  let places: Int32Array;
  try {
    places = mapFile(`${databasePath}-shared`);
  } catch {
    return undefined;
  }
  const now = (): number => Date.now() & 0x7fff_ffff;
  // The system's number of the process would not do: in containers of their own, all have the same.
  const self = randomInt(1, 0x7fff_ffff);
  return {
    commits: () => Atomics.load(places, commitsAt),
    committed: () => void Atomics.add(places, commitsAt, 1),
    waits: () => {
      Atomics.store(places, waitedAt, now());
      Atomics.store(places, waiterAt, self);
    },
    othersWait: () =>
      Atomics.load(places, waiterAt) !== self && Math.abs(now() - Atomics.load(places, waitedAt)) < waitingMs,
  };
}

function mapFile(path: string): Int32Array {
  const file = openSync(path, 'a', 0o600);
  try {
    // Written, and not only made longer: on a full disk that fails here, and not at the first use of the memory.
    if (fstatSync(file).size < fileBytes) writeSync(file, new Uint8Array(fileBytes));
  } finally {
    closeSync(file);
  }
  const mapped = Bun.mmap(path, { shared: true });
  return new Int32Array(mapped.buffer, mapped.byteOffset, fileBytes / Int32Array.BYTES_PER_ELEMENT);
}
