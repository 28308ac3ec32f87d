import { availableParallelism } from 'node:os';
import { Problem } from '../base/problem.ts';
import { Semaphore } from '../base/semaphore.ts';
import { type Storage, storedBytes } from '../storage/storage.ts';

/** An image with more is not decoded. */
export const mostPixels = 100_000_000;

/** An AVIF with more is not decoded: it is decoded as a whole, which takes some 18 bytes a pixel, however small the file is. */
export const mostAvifPixels = 25_000_000;

/** Larger files are served, but not decoded: they would have to be in memory. */
const mostBytes = 128 * 1024 * 1024;

/** Half of the cores, so that requests are answered meanwhile. */
const atWork = Math.max(1, Math.floor(availableParallelism() / 2));

const mostWaiting = 100;

/** Work on images of this process. It runs in threads of its own. */
const images = new Semaphore(
  { running: atWork, waiting: mostWaiting },
  () =>
    new Problem(503, 'images_busy', 'Too many images are being made at the moment.', {
      headers: { 'Retry-After': '2' },
    }),
);

/** Runs work on an image when it is its turn; 503 where too much waits already. */
export const withImages = <T>(work: () => Promise<T>): Promise<T> => images.run(work);

/** A stored image. */
export interface ImageSource {
  /** In the storage. */
  readonly key: string;
  readonly size: number;
}

/** What `work` makes of the bytes of a stored image; undefined where they are too many to be decoded. */
export async function withImageBytes<T>(
  storage: Storage,
  { key, size }: ImageSource,
  work: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T | undefined> {
  if (size > mostBytes) return undefined;
  return work(await storedBytes(storage, key, size));
}
