import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';

const css = await Bun.file(join(import.meta.dir, 'tokens.css')).text();

/** The colours of a block of the file, as sRGB with light in each channel (linear). */
function coloursOf(selector: string): ReadonlyMap<string, readonly number[]> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  const found = block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g);
  return new Map([...found].map(([, name = '', l, c, h]) => [name, linearRgb(Number(l), Number(c), Number(h))]));
}

/** From OKLCH, as the CSS Color Module (level 4) has it; channels outside of sRGB are cut. */
function linearRgb(lightness: number, chroma: number, hue: number): readonly number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((channel) => Math.min(1, Math.max(0, channel)));
}

const luminance = ([r = 0, g = 0, b = 0]: readonly number[]): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['ground', 'surface', 'surface-sunken', 'surface-hover'];

/** Texts on what is behind them: at least 4.5. */
const texts: readonly (readonly [text: string, ground: string])[] = [
  ...['text', 'text-muted', 'accent-text', 'danger-text', 'success-text', 'warning-text'].flatMap((text) =>
    grounds.map((ground) => [text, ground] as const),
  ),
  ['text', 'surface-selected'],
  ['text-muted', 'surface-selected'],
  ['accent-text', 'surface-selected'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['danger-text', 'danger-surface'],
  ['success-text', 'success-surface'],
  ['warning-text', 'warning-surface'],
];

const typeColours = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'].map(
  (name) => `type-${name}`,
);

/** Edges of controls, the ring of the focus, and pictures of types: at least 3. */
const edges = [
  ...['border-control', 'focus', 'accent', 'danger', ...typeColours].flatMap((edge) =>
    ['ground', 'surface', 'surface-sunken'].map((ground) => [edge, ground] as const),
  ),
  ...typeColours.flatMap((colour) => ['surface-hover', 'surface-selected'].map((ground) => [colour, ground] as const)),
];

const light = coloursOf(':root');
const dark = coloursOf(':root[data-theme="dark"]');

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('the colours of the %s theme', (_, colours) => {
  const of = (name: string): readonly number[] => {
    const colour = colours.get(name);
    if (colour === undefined) throw new Error(`There is no colour --${name}.`);
    return colour;
  };

  test.each(texts)('%s on %s can be read', (text, ground) => {
    expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(edges)('%s on %s can be seen', (edge, ground) => {
    expect(contrast(of(edge), of(ground))).toBeGreaterThanOrEqual(3);
  });
});

test('both themes have the same colours', () => {
  expect([...dark.keys()].toSorted()).toEqual([...light.keys()].toSorted());
});

test('black on white is 21 to 1', () => {
  expect(contrast(linearRgb(0, 0, 0), linearRgb(1, 0, 0))).toBeCloseTo(21, 3);
});
