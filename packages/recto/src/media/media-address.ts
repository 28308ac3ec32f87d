import { program } from '../base/program.ts';
import type { MediaPreset, MediaPresets } from '../config/media-presets.ts';
import type { ShownMember } from '../definition/content-type.ts';
import { type Framing, framingText } from './framing.ts';

/** Below this path, files are served. */
export const mediaPath = '/media';

/** What the address of a file depends on. */
export interface AddressedFile extends Framing {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly mimeType: string;
}

const digest = (text: string, length: number): string =>
  new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, length);

/** Changes with the bytes: what is served under an address with it never changes. */
export const fileVersion = ({ hash }: Pick<AddressedFile, 'hash'>): string => hash.slice(0, 12);

/** Changes with the bytes and with how variants are cut. */
export const variantVersion = (file: AddressedFile): string => digest(`${file.hash}|${framingText(file)}`, 12);

/** Changes with what a preset asks for. */
export function presetVersion(preset: MediaPreset): string {
  const known = presetVersions.get(preset);
  if (known !== undefined) return known;
  const { width, height, fit, format, quality } = preset;
  const version = digest(JSON.stringify([width, height, fit, format, quality, pipelineVersion]), 6);
  presetVersions.set(preset, version);
  return version;
}

/** Part of every answer with a variant. */
const presetVersions = new WeakMap<MediaPreset, string>();

/** To be counted up when the same preset gives other images. Those of the executable are others, and may lie in the same storage. */
const pipelineVersion = program === 'executable' ? 'runtime 2' : 2;

/** The file itself: `/media/{id}/{name}?v=…`. */
export const fileUrl = (file: Pick<AddressedFile, 'id' | 'name' | 'hash'>): string =>
  `${mediaPath}/${file.id}/${encodeURIComponent(file.name)}?v=${fileVersion(file)}`;

/** What the addresses of a file's variants end in, up to the version of the preset; null for what is no image. */
export const variantTail = (file: AddressedFile): string | null =>
  isRaster(file.mimeType) ? `${encodeURIComponent(file.name)}?v=${variantVersion(file)}-` : null;

/** The addresses of variants, `{preset: url}`, as records put them together. */
export const variantMembers = (presets: MediaPresets): readonly ShownMember[] =>
  Object.entries(presets).map(([name, preset]) => ({
    name,
    parts: [`${mediaPath}/`, { column: 'id' }, `/${name}/`, { column: 'variants' }, presetVersion(preset)],
  }));

/** The images that variants are made of. SVG is none: it is a document with scripts. */
const rasterTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
]);

export const isRaster = (mimeType: string): boolean => rasterTypes.has(mimeType);
