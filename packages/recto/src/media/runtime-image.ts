import type { MediaPreset } from '../config/media-presets.ts';
import { mostPixels } from './image-work.ts';
import { type ImageFormat, runtimeFormats } from './variant-format.ts';

// Images by the runtime's own functions, for the executable: the library that the packages use cannot be inside of it.
// They neither cut nor make placeholders, and read and write no AVIF on Linux.

const quality = 80;

/** Makes a variant that fits within the size of the preset; `cover` and `contain` cut and fill nothing here. */
export async function runtimeVariant(
  bytes: Uint8Array<ArrayBuffer>,
  preset: MediaPreset,
  format: ImageFormat,
): Promise<Buffer> {
  const image = new Bun.Image(bytes, { maxPixels: mostPixels, autoOrient: true });
  const { width, height } = await image.metadata();
  image.resize(preset.width ?? width, preset.height ?? height, { fit: 'inside', withoutEnlargement: true });
  const written = runtimeFormats[format];
  switch (written) {
    case 'jpeg':
      return image.jpeg({ quality: preset.quality ?? quality, progressive: true }).buffer();
    case 'png':
      return image.png().buffer();
    case 'webp':
      return image.webp({ quality: preset.quality ?? quality }).buffer();
  }
}

/** The size of an image as it is shown. Rejects for what is none. */
export async function runtimeSize(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly width: number; readonly height: number }> {
  const image = new Bun.Image(bytes, { maxPixels: Number.MAX_SAFE_INTEGER, autoOrient: true });
  const { width, height } = await image.metadata();
  return { width, height };
}
