import type { MediaPreset } from '../config/media-presets.ts';
import { type Framing, framingText } from './framing.ts';
import { presetVersion } from './media-address.ts';
import { variantsOf } from './storage-keys.ts';
import { endingOf, type ImageFormat } from './variant-format.ts';

const middle = { x: null, y: null };

/** The key of a variant of the file with this key: it says all that the variant depends on. */
export function variantKey(fileKey: string, framing: Framing, preset: MediaPreset, format: ImageFormat): string {
  // Only some are cut around a point.
  const cut = cutOf(preset.fit === 'cover' ? framing : { ...framing, focal: middle });
  return `${variantsOf(fileKey)}${presetVersion(preset)}${cut}.${endingOf(format)}`;
}

/** What the keys of an image's variants say of how they are cut; nothing of those that show all of it. */
export const cutsOf = (framing: Framing): readonly string[] => [cutOf(framing), cutOf({ ...framing, focal: middle })];

function cutOf(framing: Framing): string {
  const { focal, crop } = framing;
  if (focal.x === null && focal.y === null && crop === null) return '';
  const text = framingText(framing).replaceAll('|', '_');
  return `-${new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 10)}`;
}

/** The part of a variant's key that says how it is cut. */
export const cutInKey = (key: string): string => /\/\w+(-\w+)?\.\w+$/.exec(key)?.[1] ?? '';
