import type { Reading, SettingType } from './setting-type.ts';

export const presetFits = ['cover', 'contain', 'inside'] as const;
export const presetFormats = ['auto', 'jpeg', 'png', 'webp', 'avif'] as const;

/** How a variant of an image is made. */
export interface MediaPreset {
  /** Pixels; absent: as the other side has it. */
  readonly width?: number;
  readonly height?: number;
  /**
   * `cover`: cut to fill width and height, around the focal point; `contain`: complete, with bars; `inside`: complete, not larger
   * than width and height.
   */
  readonly fit: (typeof presetFits)[number];
  /** `auto`: AVIF, WebP or the format of the original, whichever the client accepts. */
  readonly format: (typeof presetFormats)[number];
  /** From 1 to 100. */
  readonly quality?: number;
}

/** By name, those that are built in among them. */
export type MediaPresets = Readonly<Record<string, MediaPreset>>;

/** There without a setting, which can replace them. */
export const builtInPresets: MediaPresets = {
  thumb: { width: 256, height: 256, fit: 'inside', format: 'auto' },
  preview: { width: 1280, height: 1280, fit: 'inside', format: 'auto' },
};

const longestSide = 8192;
const mostPresets = 50;

/** Tables by name in `recto.toml`; in the environment, the same as a JSON object. */
export const mediaPresets: SettingType<MediaPresets> = {
  expects:
    'tables [media.presets.NAME] with width, height, fit, format and quality; as a variable, a JSON object of them',
  read(raw) {
    const table = typeof raw === 'string' ? parsed(raw) : undefined;
    if (!isTable(table)) return { expected: this.expects };
    const presets: Record<string, MediaPreset> = { ...builtInPresets };
    for (const [name, written] of Object.entries(table)) {
      if (!/^[a-z][a-z0-9_-]{0,49}$/.test(name)) {
        return { expected: `${this.expects} ("${name}" is no name: small letters, digits, - and _)` };
      }
      const preset = presetOf(written);
      if (!('value' in preset)) return { expected: `${this.expects} (in ${name}, ${preset.expected})` };
      presets[name] = preset.value;
    }
    const count = Object.keys(presets).length;
    return count > mostPresets ? { expected: `at most ${mostPresets} presets` } : { value: Object.freeze(presets) };
  },
};

function presetOf(written: unknown): Reading<MediaPreset> {
  if (!isTable(written)) return { expected: 'there must be a table' };
  const unknown = Object.keys(written).find((name) => !members.has(name));
  if (unknown !== undefined) return { expected: `"${unknown}" is no option: ${[...members].join(', ')}` };
  const { width, height, quality } = written;
  for (const [name, side] of Object.entries({ width, height })) {
    if (side !== undefined && !isWithin(side, longestSide))
      return { expected: `${name} is a whole number from 1 to ${longestSide}` };
  }
  if (width === undefined && height === undefined) return { expected: 'width or height is needed' };
  if (quality !== undefined && !isWithin(quality, 100)) return { expected: 'quality is a whole number from 1 to 100' };
  const both = width !== undefined && height !== undefined;
  const fit = presetFits.find((word) => word === (written.fit ?? (both ? 'cover' : 'inside')));
  if (fit === undefined) return { expected: `fit is one of ${presetFits.join(', ')}` };
  if (fit !== 'inside' && !both) return { expected: `fit = "${fit}" needs both width and height` };
  const format = presetFormats.find((word) => word === (written.format ?? 'auto'));
  if (format === undefined) return { expected: `format is one of ${presetFormats.join(', ')}` };
  return {
    value: Object.freeze({
      ...(isWithin(width, longestSide) ? { width } : {}),
      ...(isWithin(height, longestSide) ? { height } : {}),
      fit,
      format,
      ...(isWithin(quality, 100) ? { quality } : {}),
    }),
  };
}

const members: ReadonlySet<string> = new Set(['width', 'height', 'fit', 'format', 'quality']);

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
