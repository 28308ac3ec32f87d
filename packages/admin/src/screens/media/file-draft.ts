import type { Crop } from '../../fields/media/crop.ts';
import type { MediaFile } from './media-file.ts';

/** What a person changes of a file, as the controls hold it. */
export interface FileDraft {
  readonly name: string;
  readonly alt: string;
  /** There is nothing to describe: the alternative text is empty. */
  readonly isDecorative: boolean;
  readonly caption: string;
  readonly folder: string;
  readonly tags: string;
  readonly isPrivate: boolean;
  readonly focal_x: number | null;
  readonly focal_y: number | null;
  readonly crop: Crop | null;
}

export const draftOf = (file: MediaFile): FileDraft => ({
  name: file.name,
  alt: file.alt ?? '',
  isDecorative: file.alt === '',
  caption: file.caption ?? '',
  folder: file.folder ?? '',
  tags: file.tags.join(', '),
  isPrivate: file.visibility === 'private',
  focal_x: file.focal_x,
  focal_y: file.focal_y,
  crop: file.crop,
});

/** The draft of a file that has got other bytes meanwhile: what was changed in it stays, but a crop of the old picture. */
export function draftAfter(draft: FileDraft, before: MediaFile, after: MediaFile): FileDraft {
  const [old, now] = [draftOf(before), draftOf(after)];
  const kept = <K extends keyof FileDraft>(name: K): FileDraft[K] =>
    draft[name] === old[name] ? now[name] : draft[name];
  return {
    name: kept('name'),
    alt: kept('alt'),
    isDecorative: kept('isDecorative'),
    caption: kept('caption'),
    folder: kept('folder'),
    tags: kept('tags'),
    isPrivate: kept('isPrivate'),
    focal_x: kept('focal_x'),
    focal_y: kept('focal_y'),
    crop: now.crop,
  };
}

/** What was changed in a draft after it was sent. */
export const typedSince = (sent: FileDraft, now: FileDraft): Partial<FileDraft> => {
  const before: Readonly<Record<string, unknown>> = { ...sent };
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
};

/** Tags as a person types them, each once in any case of its letters. */
export function tagsOf(text: string): readonly string[] {
  const tags = text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const known = new Set<string>();
  return tags.filter((tag) => {
    const folded = tag.toLocaleLowerCase();
    if (known.has(folded)) return false;
    known.add(folded);
    return true;
  });
}

/** A folder as it is stored: without empty parts. */
export const folderOf = (text: string): string | null =>
  text
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/') || null;

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** The members to send: what differs from the file alone. */
export function changesOf(file: MediaFile, draft: FileDraft): Readonly<Record<string, unknown>> {
  const wanted: Readonly<Record<string, unknown>> = {
    name: draft.name,
    alt: draft.isDecorative ? '' : textOrNull(draft.alt),
    caption: textOrNull(draft.caption),
    folder: folderOf(draft.folder),
    tags: tagsOf(draft.tags),
    visibility: draft.isPrivate ? 'private' : 'public',
    focal_x: draft.focal_x,
    focal_y: draft.focal_y,
    crop: draft.crop,
  };
  const now: Readonly<Record<string, unknown>> = { ...file };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name] ?? null)),
  );
}
