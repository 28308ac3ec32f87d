import { Semaphore } from '../base/semaphore.ts';
import type { Storage } from '../storage/storage.ts';
import { factOf } from './file-facts-messages.ts';
import { type FactsLimits, FactsThread, type StoredKey } from './file-facts-thread.ts';

export interface FileFacts {
  /** Of a PDF. */
  readonly pages: number | null;
  /** Of audio and video, in seconds. */
  readonly duration: number | null;
}

export const noFacts: FileFacts = { pages: null, duration: null };

const mebibyte = 1024 * 1024;

/** A file that needs more than this has no facts. */
const limits: FactsLimits = { time: 5000, bytes: 32 * mebibyte, ranges: 2000, memory: 256 * mebibyte };

/** How long an upload waits for them at most, in milliseconds: for its turn, and for the libraries, which are large. */
const longestMs = 30_000;

/** How long a thread is kept for the next file, in milliseconds: the libraries are in its memory. */
const idleMs = 10_000;

/** More than a file can sensibly have: what it says then is wrong. */
const mostPages = 1_000_000;
const mostSeconds = 10_000_000;

const turns = new Semaphore({ running: 1, waiting: 100 }, () => new Error('Too many files wait to be read.'));
let thread: FactsThread | undefined;
let idle: Timer | undefined;

/** What a stored PDF, audio or video file says of itself. It never rejects: where it cannot be read within the limits, nothing is known. */
export async function fileFacts(storage: Storage, file: StoredKey): Promise<FileFacts> {
  const fact = factOf(file.mimeType);
  if (fact === undefined) return noFacts;
  const signal = AbortSignal.timeout(longestMs);
  const found = await turns.run(() => readInThread(storage, file, signal)).catch(() => null);
  return fact === 'pages'
    ? { ...noFacts, pages: plausiblePages(found) }
    : { ...noFacts, duration: plausibleTime(found) };
}

async function readInThread(storage: Storage, file: StoredKey, signal: AbortSignal): Promise<number | null> {
  if (signal.aborted) return null;
  clearTimeout(idle);
  if (!thread?.isAlive) thread = new FactsThread();
  const reading = thread;
  try {
    return await reading.read(storage, file, limits, signal);
  } finally {
    idle = setTimeout(() => reading.end(), idleMs);
    idle.unref();
  }
}

const plausiblePages = (found: number | null): number | null =>
  found !== null && Number.isSafeInteger(found) && found > 0 && found <= mostPages ? found : null;

/** To a millisecond. */
const plausibleTime = (found: number | null): number | null =>
  found !== null && found > 0 && found <= mostSeconds ? Math.round(found * 1000) / 1000 : null;
