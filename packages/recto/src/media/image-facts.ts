import { rgbaToThumbHash } from 'thumbhash';
import { program } from '../base/program.ts';
import type { Storage } from '../storage/storage.ts';
import { type ImageSource, withImageBytes, withImages } from './image-work.ts';
import { runtimeSize } from './runtime-image.ts';

export interface ImageFacts {
  /** As the image is shown, after its orientation. */
  readonly width: number | null;
  readonly height: number | null;
  /** A ThumbHash in Base64. */
  readonly placeholder: string | null;
}

export const noImage: ImageFacts = { width: null, height: null, placeholder: null };

/** The longer side of what a ThumbHash is made of. */
const placeholderSide = 100;

/** What is known of a stored image; nothing of what is none, or cannot be decoded. */
export async function imageFacts(storage: Storage, image: ImageSource): Promise<ImageFacts> {
  const facts = await withImages(() => withImageBytes(storage, image, factsOf));
  return facts ?? noImage;
}

async function factsOf(bytes: Uint8Array<ArrayBuffer>): Promise<ImageFacts> {
  try {
    if (program === 'executable') return { ...(await runtimeSize(bytes)), placeholder: null };
    // Loaded with the first image: most of a start would go into it.
    const { decoded, described, pixelLimit } = await import('./sharp-image.ts');
    const { autoOrient, width, height } = await described(bytes).metadata();
    const shown = { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
    if (shown.width * shown.height > pixelLimit(bytes)) return { ...shown, placeholder: null };
    const { data, info } = await decoded(bytes)
      .autoOrient()
      .resize(placeholderSide, placeholderSide, { fit: 'inside' })
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const hash = rgbaToThumbHash(info.width, info.height, data);
    return { ...shown, placeholder: Buffer.from(hash).toString('base64') };
  } catch {
    // Bytes that begin like an image and are none, or are damaged.
    return noImage;
  }
}
