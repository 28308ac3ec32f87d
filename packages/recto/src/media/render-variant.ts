import type { Sharp } from 'sharp';
import type { MediaPreset } from '../config/media-presets.ts';
import { type Crop, type FocalPoint, type Framing, focalWithin } from './framing.ts';
import type { ImageFormat } from './variant-format.ts';

/** AVIF is slow to make: the least effort that is still smaller than WebP. */
const efforts = { avif: 2, webp: 3 } as const;
const qualities: Readonly<Record<ImageFormat, number>> = { jpeg: 80, webp: 78, avif: 55, png: 100, gif: 100 };

/** Makes a variant. Nothing of the original's metadata (camera, place) is in it, but its orientation is applied. */
export async function renderVariant(
  image: Sharp,
  preset: MediaPreset,
  format: ImageFormat,
  framing: Framing,
): Promise<Buffer> {
  const { autoOrient, width, height } = await image.metadata();
  const whole = { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
  const shown = framing.crop === null ? { left: 0, top: 0, ...whole } : pixelsOf(framing.crop, whole);
  const bars = format === 'jpeg' ? white : transparent;
  const resized = resize({ image: image.autoOrient(), whole, shown }, { ...preset, bars }, focalWithin(framing));
  return encode(resized, format, preset.quality).toBuffer();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of an image. */
interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

/** At least one pixel, within the image. */
function pixelsOf(crop: Crop, whole: Size): Part {
  const left = Math.min(Math.round(crop.x * whole.width), whole.width - 1);
  const top = Math.min(Math.round(crop.y * whole.height), whole.height - 1);
  const right = Math.min(Math.round((crop.x + crop.width) * whole.width), whole.width);
  const bottom = Math.min(Math.round((crop.y + crop.height) * whole.height), whole.height);
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** An image, upright, and the part of it that is shown. */
interface Original {
  readonly image: Sharp;
  readonly whole: Size;
  readonly shown: Part;
}

const cutTo = ({ image, whole }: Original, part: Part): Sharp =>
  part.width === whole.width && part.height === whole.height ? image : image.extract({ ...part });

/** What is around an image that is shown with bars. */
const white = { r: 255, g: 255, b: 255, alpha: 1 };
const transparent = { ...white, alpha: 0 };

interface Layout extends MediaPreset {
  readonly bars: typeof white;
}

function resize(original: Original, preset: Layout, focal: FocalPoint): Sharp {
  const { width, height, fit, bars } = preset;
  if (fit === 'cover' && width !== undefined && height !== undefined) return cover(original, { width, height }, focal);
  return cutTo(original, original.shown).resize({
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    fit: fit === 'contain' ? 'contain' : 'inside',
    withoutEnlargement: true,
    background: bars,
  });
}

/** Fills the wanted proportions, or as much of them as there are pixels for, with the focal point as near to the middle as it can be. */
function cover(original: Original, wanted: Size, focal: FocalPoint): Sharp {
  const own = original.shown;
  const scale = Math.min(1, own.width / wanted.width, own.height / wanted.height);
  const size = {
    width: Math.max(1, Math.round(wanted.width * scale)),
    height: Math.max(1, Math.round(wanted.height * scale)),
  };
  // What is shown of it then.
  const factor = Math.min(own.width / size.width, own.height / size.height);
  const part = {
    width: Math.min(own.width, Math.round(size.width * factor)),
    height: Math.min(own.height, Math.round(size.height * factor)),
  };
  if (part.width === own.width && part.height === own.height)
    return cutTo(original, own).resize({ ...size, fit: 'fill' });
  if (focal.x === null && focal.y === null)
    return cutTo(original, own).resize({ ...size, fit: 'cover', position: 'centre' });
  const left = own.left + place(focal.x ?? 0.5, own.width, part.width);
  const top = own.top + place(focal.y ?? 0.5, own.height, part.height);
  return original.image.extract({ left, top, ...part }).resize({ ...size, fit: 'fill' });
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
