import type { Sharp } from 'sharp';
import type { MediaPreset } from '../config/media-presets.ts';
import type { ImageFormat } from './variant-format.ts';

/** The point that an image is cut around, from 0 to 1; null: its middle. */
export interface FocalPoint {
  readonly x: number | null;
  readonly y: number | null;
}

/** AVIF is slow to make: the least effort that is still smaller than WebP. */
const efforts = { avif: 2, webp: 3 } as const;
const qualities: Readonly<Record<ImageFormat, number>> = { jpeg: 80, webp: 78, avif: 55, png: 100, gif: 100 };

/** Makes a variant. Nothing of the original's metadata (camera, place) is in it, but its orientation is applied. */
export async function renderVariant(
  image: Sharp,
  preset: MediaPreset,
  format: ImageFormat,
  focal: FocalPoint,
): Promise<Buffer> {
  const { autoOrient, width, height } = await image.metadata();
  const own = { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
  const bars = format === 'jpeg' ? white : transparent;
  const resized = resize(image.autoOrient(), own, { ...preset, bars }, focal);
  return encode(resized, format, preset.quality).toBuffer();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is around an image that is shown with bars. */
const white = { r: 255, g: 255, b: 255, alpha: 1 };
const transparent = { ...white, alpha: 0 };

interface Layout extends MediaPreset {
  readonly bars: typeof white;
}

function resize(image: Sharp, own: Size, preset: Layout, focal: FocalPoint): Sharp {
  const { width, height, fit, bars } = preset;
  if (fit === 'cover' && width !== undefined && height !== undefined)
    return cover(image, own, { width, height }, focal);
  return image.resize({
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    fit: fit === 'contain' ? 'contain' : 'inside',
    withoutEnlargement: true,
    background: bars,
  });
}

/** Fills the wanted proportions, or as much of them as there are pixels for, with the focal point as near to the middle as it can be. */
function cover(image: Sharp, own: Size, wanted: Size, focal: FocalPoint): Sharp {
  const scale = Math.min(1, own.width / wanted.width, own.height / wanted.height);
  const size = {
    width: Math.max(1, Math.round(wanted.width * scale)),
    height: Math.max(1, Math.round(wanted.height * scale)),
  };
  // The part of the original that is shown.
  const factor = Math.min(own.width / size.width, own.height / size.height);
  const part = {
    width: Math.min(own.width, Math.round(size.width * factor)),
    height: Math.min(own.height, Math.round(size.height * factor)),
  };
  if (part.width === own.width && part.height === own.height) return image.resize({ ...size, fit: 'fill' });
  if (focal.x === null && focal.y === null) return image.resize({ ...size, fit: 'cover', position: 'centre' });
  const left = place(focal.x ?? 0.5, own.width, part.width);
  const top = place(focal.y ?? 0.5, own.height, part.height);
  return image.extract({ left, top, ...part }).resize({ ...size, fit: 'fill' });
}

/** Where a part begins whose middle is to be at a point, within the whole. */
const place = (point: number, whole: number, part: number): number =>
  Math.round(Math.min(Math.max(point * whole - part / 2, 0), whole - part));

function encode(image: Sharp, format: ImageFormat, asked: number | undefined): Sharp {
  const quality = asked ?? qualities[format];
  switch (format) {
    case 'jpeg':
      // It has no transparency.
      return image.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: false, progressive: true });
    case 'png':
      // Any quality reduces it to 256 colours.
      return image.png(quality < 100 ? { quality } : {});
    case 'webp':
      return image.webp({ quality, effort: efforts.webp });
    case 'avif':
      return image.avif({ quality, effort: efforts.avif });
    case 'gif':
      return image.gif();
  }
}
