import { type FileValue, fileValue } from '../../fields/media/file-value.ts';

/** A record of the library, as the admin routes return it. */
export interface MediaFile extends FileValue {
  readonly name: string;
  readonly url: string;
  readonly mime_type: string;
  /** Bytes. */
  readonly size: number;
  readonly caption: string | null;
  readonly folder: string | null;
  readonly tags: readonly string[];
  readonly visibility: 'public' | 'private';
  readonly pages: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Undefined for what is no record of a file. */
export function mediaFile(record: Readonly<Record<string, unknown>>): MediaFile | undefined {
  const file = fileValue(record);
  if (file === undefined) return undefined;
  const { tags } = record;
  return {
    ...file,
    name: file.name ?? file.id,
    url: file.url ?? '',
    mime_type: file.mime_type ?? 'application/octet-stream',
    size: number(record.size) ?? 0,
    caption: text(record.caption),
    folder: text(record.folder),
    tags: Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [],
    visibility: record.visibility === 'private' ? 'private' : 'public',
    pages: number(record.pages),
    duration: number(record.duration),
    created_at: text(record.created_at) ?? '',
    updated_at: text(record.updated_at) ?? '',
  };
}
