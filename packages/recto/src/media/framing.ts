import type { StoredRecord } from '../definition/protocol.ts';

/** The point that an image is cut around: shares of its width and height, from 0 to 1; null: its middle. */
export interface FocalPoint {
  readonly x: number | null;
  readonly y: number | null;
}

/** The part of an image that its variants show: its left upper corner and its size, as shares of the image as it is shown. */
export type Crop = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** How an image is cut: data beside the file, whose bytes stay as they are. */
export interface Framing {
  readonly focal: FocalPoint;
  /** Null: all of it is shown. */
  readonly crop: Crop | null;
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** What a record of a file says of it. */
export const framingOf = ({ focal_x: x, focal_y: y, crop }: StoredRecord): Framing => ({
  focal: { x: numberOrNull(x), y: numberOrNull(y) },
  crop: cropOf(crop),
});

/** Sums of decimals that make 1 differ from it by less. */
const rounding = 1e-6;

/** Whether a part that begins there ends within the image. */
export const fits = (start: number, extent: number): boolean => start + extent <= 1 + rounding;

/** What else was written into the database without the service counts as none. */
function cropOf(value: unknown): Crop | null {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height }: { readonly [K in keyof Crop]?: unknown } = value;
  const areNumbers =
    typeof x === 'number' && typeof y === 'number' && typeof width === 'number' && typeof height === 'number';
  if (!areNumbers || x < 0 || y < 0 || width <= 0 || height <= 0) return null;
  return fits(x, width) && fits(y, height) ? { x, y, width, height } : null;
}

/** The focal point as shares of what the crop shows; a point outside of it is at its edge. */
export function focalWithin({ focal, crop }: Framing): FocalPoint {
  if (crop === null) return focal;
  const within = (at: number | null, from: number, size: number): number | null =>
    at === null ? null : Math.min(1, Math.max(0, (at - from) / size));
  return { x: within(focal.x, crop.x, crop.width), y: within(focal.y, crop.y, crop.height) };
}

/** What distinguishes two framings of the same image. Without a crop it says nothing of one, so that addresses from before there were crops stay. */
export function framingText({ focal, crop }: Framing): string {
  const point = `${focal.x ?? ''}|${focal.y ?? ''}`;
  return crop === null ? point : `${point}|${crop.x}|${crop.y}|${crop.width}|${crop.height}`;
}

/** The crop that stays when an image gets other bytes: a part of another picture means nothing, one of the same proportions is most often the same picture. */
export function cropAfter(before: StoredRecord, after: StoredRecord): Crop | null {
  const [old, now] = [proportions(before), proportions(after)];
  const isAlike = old !== undefined && now !== undefined && Math.abs(now / old - 1) < 0.01;
  return isAlike ? framingOf(before).crop : null;
}

const proportions = ({ width, height }: StoredRecord): number | undefined =>
  typeof width === 'number' && typeof height === 'number' && height > 0 ? width / height : undefined;
