/** A part of a picture: its left upper corner and its size, as shares of the picture's. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const whole: Crop = { x: 0, y: 0, width: 1, height: 1 };

/** What is moved with the pointer or the keys: an edge, or the corner of two. */
export interface Grip {
  readonly across?: 'left' | 'right';
  readonly down?: 'top' | 'bottom';
}

/** A smaller part could not be held. */
const least = 0.05;

/** Ten-thousandths are finer than the pixels of most pictures, and short. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** What a record of a file has as its crop; null: none. */
export function cropOf(value: unknown): Crop | null {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height }: { readonly [K in keyof Crop]?: unknown } = value;
  const areNumbers =
    typeof x === 'number' && typeof y === 'number' && typeof width === 'number' && typeof height === 'number';
  if (!areNumbers || x < 0 || y < 0 || width <= 0 || height <= 0) return null;
  // Sums of decimals that make 1 differ from it by less.
  return Math.max(x + width, y + height) <= 1 + 1e-6 ? { x, y, width, height } : null;
}

/** The crop to store: all of the picture is none. */
export const cropOrNone = (crop: Crop): Crop | null =>
  crop.x === 0 && crop.y === 0 && crop.width === 1 && crop.height === 1 ? null : crop;

function tidy({ x, y, width, height }: Crop): Crop {
  const [left, top] = [rounded(x), rounded(y)];
  return {
    x: left,
    y: top,
    width: rounded(rounded(between(x + width, 0, 1)) - left),
    height: rounded(rounded(between(y + height, 0, 1)) - top),
  };
}

/** The same part elsewhere, within the picture. */
export const movedBy = ({ x, y, width, height }: Crop, across: number, down: number): Crop =>
  tidy({ x: between(x + across, 0, 1 - width), y: between(y + down, 0, 1 - height), width, height });

/**
 * The part with an edge or a corner at another place, while the opposite one stays. `ratio`: its width as a share of the picture's by its height as
 * such a share; undefined: any.
 */
export function resized(crop: Crop, grip: Grip, to: { readonly x: number; readonly y: number }, ratio?: number): Crop {
  const horizontal = alongAxis(crop.x, crop.width, grip.across === 'left', grip.across !== undefined, to.x);
  const vertical = alongAxis(crop.y, crop.height, grip.down === 'top', grip.down !== undefined, to.y);
  if (ratio === undefined) {
    return tidy({
      ...{ x: placed(horizontal, horizontal.wanted), width: horizontal.wanted },
      ...{ y: placed(vertical, vertical.wanted), height: vertical.wanted },
    });
  }
  // The larger of what both directions ask for; an edge asks in its own alone.
  const asked = Math.max(
    grip.across === undefined ? 0 : horizontal.wanted,
    grip.down === undefined ? 0 : vertical.wanted * ratio,
  );
  const width = Math.min(Math.max(asked, least, least * ratio), horizontal.room, vertical.room * ratio);
  const height = width / ratio;
  return tidy({ x: placed(horizontal, width), width, y: placed(vertical, height), height });
}

interface Axis {
  /** The end that stays; null: the middle does, as far as there is room. */
  readonly fixed: 'start' | 'end' | null;
  readonly start: number;
  readonly size: number;
  readonly wanted: number;
  readonly room: number;
}

function alongAxis(start: number, size: number, isStart: boolean, isMoved: boolean, to: number): Axis {
  if (!isMoved) return { fixed: null, start, size, wanted: size, room: 1 };
  const end = start + size;
  const at = between(to, 0, 1);
  if (isStart) return { fixed: 'end', start, size, wanted: Math.max(end - at, Math.min(least, end)), room: end };
  return { fixed: 'start', start, size, wanted: Math.max(at - start, Math.min(least, 1 - start)), room: 1 - start };
}

function placed({ fixed, start, size }: Axis, now: number): number {
  if (fixed === 'start') return start;
  if (fixed === 'end') return start + size - now;
  return between(start + (size - now) / 2, 0, 1 - now);
}

/** The largest part of these proportions, with its middle as near to that of the given one as there is room. */
export function largest({ x, y, width, height }: Crop, ratio: number): Crop {
  const size = { width: Math.min(1, ratio), height: Math.min(1, 1 / ratio) };
  return tidy({
    x: between(x + width / 2 - size.width / 2, 0, 1 - size.width),
    y: between(y + height / 2 - size.height / 2, 0, 1 - size.height),
    ...size,
  });
}
