import { program } from '../base/program.ts';
import type { MediaPreset } from '../config/media-presets.ts';

export const imageFormats = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** The format in which an original is served again; TIFF, which browsers do not show, as JPEG. */
const ownFormats: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/tiff': 'jpeg',
};

/** What the runtime writes in the place of a format that it cannot: see `runtime-image.ts`. */
export const runtimeFormats = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'webp',
  gif: 'png',
} as const satisfies Readonly<Record<ImageFormat, ImageFormat>>;

export const mediaTypeOfFormat = (format: ImageFormat): string => `image/${format}`;

/** The ending of file names. */
export const endingOf = (format: ImageFormat): string => (format === 'jpeg' ? 'jpg' : format);

/**
 * The format of a variant. `auto` gives AVIF or WebP to clients that name them in `Accept`; one that accepts anything has said
 * nothing about them, and gets the format of the original.
 */
export function variantFormat(preset: MediaPreset, originalType: string, accept: string | null): ImageFormat {
  const format = wantedFormat(preset, originalType, accept);
  return program === 'executable' ? runtimeFormats[format] : format;
}

function wantedFormat({ format }: MediaPreset, originalType: string, accept: string | null): ImageFormat {
  if (format !== 'auto') return format;
  const accepted = accept === null ? new Set<string>() : namedTypes(accept);
  if (accepted.has('image/avif')) return 'avif';
  if (accepted.has('image/webp')) return 'webp';
  return ownFormats[originalType] ?? 'jpeg';
}

/** The media types that a header names, but for those that it refuses (RFC 9110, section 12.5.1). */
function namedTypes(accept: string): ReadonlySet<string> {
  const named = new Set<string>();
  for (const range of accept.slice(0, 2000).split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (!refused) named.add(type);
  }
  return named;
}
