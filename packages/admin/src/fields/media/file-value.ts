import { type Crop, cropOf } from './crop.ts';

/** A file as a field of a record shows it. */
export interface FileValue {
  readonly id: string;
  readonly url: string | null;
  readonly name: string | null;
  readonly mime_type: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  readonly focal_x: number | null;
  readonly focal_y: number | null;
  /** Null also where it is not known: fields of records do not show it. */
  readonly crop: Crop | null;
  readonly placeholder: string | null;
  readonly variants: Readonly<Record<string, string>> | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function addresses(value: unknown): Readonly<Record<string, string>> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

/** A record of the library, or a field's value, as fields show it: the same members in both. */
export function fileValue(record: object): FileValue | undefined {
  const members: Readonly<Record<string, unknown>> = { ...record };
  const id = text(members.id);
  if (id === null) return undefined;
  return {
    id,
    url: text(members.url),
    name: text(members.name),
    mime_type: text(members.mime_type),
    width: number(members.width),
    height: number(members.height),
    alt: text(members.alt),
    focal_x: number(members.focal_x),
    focal_y: number(members.focal_y),
    crop: cropOf(members.crop),
    placeholder: text(members.placeholder),
    variants: addresses(members.variants),
  };
}

/** What a media field holds: files, and addresses where it takes those too. An id alone is a file of which no more is known yet. */
export function fileValues(value: unknown): readonly (FileValue | string)[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one): (FileValue | string)[] => {
    if (typeof one === 'string' && one !== '') return [isId(one) ? (fileValue({ id: one }) ?? one) : one];
    const file = typeof one === 'object' && one !== null ? fileValue(one) : undefined;
    return file === undefined ? [] : [file];
  });
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Whether a browser can show it as a picture. */
export const isImage = ({ mime_type }: FileValue): boolean =>
  mime_type !== null && /^image\/(?:png|jpeg|gif|webp|avif)$/.test(mime_type);

/** The focal point as shares of what the crop shows. */
export function focalWithin({ focal_x, focal_y, crop }: FileValue): {
  readonly x: number | null;
  readonly y: number | null;
} {
  if (crop === null) return { x: focal_x, y: focal_y };
  const within = (at: number | null, from: number, size: number): number | null =>
    at === null ? null : Math.min(1, Math.max(0, (at - from) / size));
  return { x: within(focal_x, crop.x, crop.width), y: within(focal_y, crop.y, crop.height) };
}
