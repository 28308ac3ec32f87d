import { logAccount } from '../../auth/account-event.ts';
import { findAccount, noSuchAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import type { Caller } from '../../base/caller.ts';
import type { Logger } from '../../base/logger.ts';
import { Problem } from '../../base/problem.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { MediaPreset } from '../../config/media-presets.ts';
import type { Transaction } from '../../database/database.ts';
import { mediaTypeOf, sampleBytes } from '../../media/file-type.ts';
import { withImages } from '../../media/image-work.ts';
import { ingestFile } from '../../media/ingest-file.ts';
import { isRaster } from '../../media/media-address.ts';
import type { MediaServices } from '../../media/media-services.ts';
import type { PictureStore, StoredPicture } from '../../media/pictures/picture-store.ts';
import { loadImages, renderedImage } from '../../media/variants.ts';

/** What is kept of it: enough for a face on a dense screen, and the same format for all. */
const square = { width: 256, height: 256, fit: 'cover', format: 'webp' } as const satisfies MediaPreset;
const middle = { focal: { x: null, y: null }, crop: null } as const;

/** Limits the pictures in memory: each has up to 10 MiB, and its pixels. */
const uploads = new Semaphore(
  { running: 4, waiting: 50 },
  () =>
    new Problem(503, 'images_busy', 'Too many images are being made at the moment.', {
      headers: { 'Retry-After': '2' },
    }),
);

/** The longest time until the last byte has arrived, in ms. */
const uploadTime = 60_000;

export interface PictureParts {
  readonly auth: Pick<AuthServices, 'accounts' | 'database' | 'now'>;
  readonly media: Pick<MediaServices, 'storage' | 'store'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly pictures: PictureStore;
  /** The type of media, whose job removes files that nothing has any more. */
  readonly mediaSingular: string;
}

/**
 * Gives an account the picture that the bytes show, as a small square without any of the file's metadata. Rejects with 415 for what is
 * no image of pixels, 422 for one that cannot be decoded, 404 where the account is gone or disabled, 408 for bytes that take too long, and 503
 * where too many wait.
 */
export async function setPicture(
  parts: PictureParts,
  { id, by }: { readonly id: string; readonly by: Caller },
  bytes: AsyncIterable<Uint8Array>,
): Promise<Pick<StoredPicture, 'account' | 'hash'>> {
  const { auth, media, pictures } = parts;
  auth.database.requireRoom?.();
  // Before it: a library that is missing is no fault of the image.
  await loadImages();
  const made = await uploads.run(async () => {
    const original = await collected(bytes);
    return withImages(() => renderedImage(original, square, square.format, middle).catch(undecodable));
  });
  const file = await ingestFile(media.storage, once(made), { maxBytes: made.length, types: [] });
  // The account has its picture by then, or the failure is another one: a file that stays is removed by a sweep.
  const discard = () =>
    media.storage
      .delete(file.key)
      .catch((error: unknown) => parts.log.warn({ err: error, key: file.key }, 'an unused file is left'));
  try {
    const kept = await auth.database.transaction(async (transaction) => {
      const account = await findAccount(auth, transaction, id, undefined);
      // It may have been disabled while the bytes arrived.
      if (account.disabled) throw noSuchAccount();
      const now = auth.now();
      const key = await media.store.claim(transaction, file, now);
      await pictures.put(transaction, id, file.hash, now);
      changed(parts, transaction);
      logAccount(transaction, { account, action: 'update', also: ['picture'], by, now });
      return key;
    });
    if (kept !== file.key) await discard();
    return { account: id, hash: file.hash };
  } catch (error) {
    // After any other failure the account may have it all the same; what is left then is removed by a sweep.
    if (error instanceof Problem && error.status < 500) await discard();
    throw error;
  }
}

/** Takes its picture from an account; nothing happens where it has none. `allowed` is called in the transaction, and may throw. */
export async function removePicture(
  parts: PictureParts,
  { id, by }: { readonly id: string; readonly by: Caller },
  within?: string,
  allowed: (transaction: Transaction) => Promise<void> = async () => undefined,
): Promise<void> {
  const { auth, pictures } = parts;
  await auth.database.transaction(async (transaction) => {
    const account = await findAccount(auth, transaction, id, within);
    await allowed(transaction);
    if (!(await pictures.remove(transaction, id))) return;
    changed(parts, transaction);
    logAccount(transaction, { account, action: 'update', also: ['picture'], by, now: auth.now() });
  });
}

/** Wakes the job that removes unused files. */
const changed = ({ mediaSingular }: PictureParts, transaction: Transaction): void => transaction.touch(mediaSingular);

async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const end = performance.now() + uploadTime;
  // The operation's body bounds how many they are.
  for await (const chunk of bytes) {
    if (performance.now() > end) throw tooSlow();
    chunks.push(chunk);
  }
  const all = new Uint8Array(Buffer.concat(chunks));
  const type = await mediaTypeOf(all.subarray(0, sampleBytes));
  // SVG is none of them: it is a document with scripts.
  if (isRaster(type)) return all;
  throw new Problem(
    415,
    'media_type_not_allowed',
    `A picture is a JPEG, PNG, WebP, GIF, AVIF or TIFF. The bytes are ${type}.`,
  );
}

/** The connection is closed: what is still to come of the body would be read as the next request. */
const tooSlow = (): Problem =>
  new Problem(408, 'request_timeout', `The body was not there within ${uploadTime / 1000} seconds.`, {
    headers: { Connection: 'close' },
  });

const undecodable = (cause: unknown): never => {
  const message = 'The image cannot be read: it is damaged, too large, or of a format that this service cannot decode.';
  throw new Problem(422, 'validation_failed', 'One field is not valid.', {
    errors: [{ field: 'picture', code: 'bad_format', message }],
    cause,
  });
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
