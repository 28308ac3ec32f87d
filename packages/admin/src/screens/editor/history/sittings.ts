import type { Revision } from '@recto/client/admin';

/** Revisions that one person made without a long pause, newest first. */
export interface Sitting {
  /** Of an account or API token; null: nobody's. */
  readonly author: string | null;
  /** When the first and the last of them were made; undefined where the service does not say. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly revisions: readonly Revision[];
}

/** As the service counts sittings, in milliseconds. */
const longestPause = 30 * 60_000;

const timeOf = ({ at }: Revision): string | undefined => (typeof at === 'string' ? at : undefined);
const authorOf = ({ author }: Revision): string | null => (typeof author === 'string' ? author : null);

/** Puts revisions, newest first, together that belong to one sitting. */
export function sittings(revisions: readonly Revision[]): readonly Sitting[] {
  const found: Sitting[] = [];
  for (const revision of revisions) {
    const last = found.at(-1);
    const at = timeOf(revision);
    const author = authorOf(revision);
    const pause = Date.parse(last?.from ?? '') - Date.parse(at ?? '');
    if (last !== undefined && last.author === author && pause <= longestPause)
      found[found.length - 1] = { ...last, from: at, revisions: [...last.revisions, revision] };
    else found.push({ author, from: at, to: at, revisions: [revision] });
  }
  return found;
}

/** Revisions that are looked at as one: from the oldest of them to the newest. */
export interface Span {
  readonly newest: number;
  readonly oldest: number;
}

/** That of revisions, newest first; undefined: there are none. */
export function spanOf(revisions: readonly Revision[]): Span | undefined {
  const [newest, oldest] = [revisions[0], revisions.at(-1)];
  return newest && oldest && { newest: newest.revision, oldest: oldest.revision };
}

/** What revisions are compared with: the one before them, or what the form shows. */
export type Base = 'before' | 'current';
