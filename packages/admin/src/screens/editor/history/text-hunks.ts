import { diffArrays } from 'diff';
import { lineKey, type TextLine, type TextUnit, type Word, wordKey } from './text-unit.ts';

/** Units that follow each other: in both versions, or other ones in each. */
export type Hunk =
  | { readonly kind: 'same'; readonly units: readonly TextUnit[] }
  | {
      readonly kind: 'changed';
      readonly removed: readonly TextUnit[];
      readonly added: readonly TextUnit[];
      /** The place of the removed ones in the text before, counted in units. */
      readonly at: number;
    };

/** More changes than this have nothing in common that is worth the time to find it. */
const mostChanges = 1_000;

interface Run<Item> {
  readonly same: readonly Item[];
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

/** What two sequences have in common, and what stands between that. */
function runs<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Run<Item>[] {
  const parts = diffArrays([...before], [...after], {
    comparator: (one, other) => keyOf(one) === keyOf(other),
    maxEditLength: mostChanges,
  });
  if (parts === undefined) return [{ same: [], removed: before, added: after }];
  const found: Run<Item>[] = [];
  for (const { removed, added, value } of parts) {
    const last = found.at(-1);
    const open = last !== undefined && last.same.length === 0 ? last : undefined;
    if (!removed && !added) found.push({ same: value, removed: [], added: [] });
    else {
      if (open !== undefined) found.pop();
      const { removed: before = [], added: after = [] } = open ?? {};
      found.push({
        same: [],
        removed: removed ? [...before, ...value] : before,
        added: added ? [...after, ...value] : after,
      });
    }
  }
  return found;
}

/** What differs between two versions of a text, paragraph by paragraph. */
export function textHunks(before: readonly TextUnit[], after: readonly TextUnit[]): readonly Hunk[] {
  let at = 0;
  return runs(before, after, ({ key }) => key).flatMap(({ same, removed, added }): readonly Hunk[] => {
    const start = at;
    at += same.length + removed.length;
    if (same.length > 0) return [{ kind: 'same', units: same }];
    // As many as before: each is the other one, changed.
    if (removed.length !== added.length) return [{ kind: 'changed', removed, added, at: start }];
    return removed.map((unit, index) => ({
      kind: 'changed',
      removed: [unit],
      added: added.slice(index, index + 1),
      at: start + index,
    }));
  });
}

/** The text before, with a hunk as it is in the text after. */
export const withHunk = (before: readonly TextUnit[], { at, removed, added }: Hunk & { kind: 'changed' }): string =>
  before
    .toSpliced(at, removed.length, ...added)
    .map(({ source }) => source)
    .join('');

export interface WordPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly words: readonly Word[];
}

/** A line of a comparison. */
export interface LineChange {
  readonly line: TextLine;
  readonly parts: readonly WordPart[];
}

const whole = (line: TextLine, kind: WordPart['kind']): LineChange => ({ line, parts: [{ kind, words: line.words }] });

/** The lines of a hunk, in the order of reading. */
export function lineChanges(removed: readonly TextUnit[], added: readonly TextUnit[]): readonly LineChange[] {
  const [before, after] = [removed, added].map((units) => units.flatMap(({ lines }) => lines));
  return runs(before ?? [], after ?? [], lineKey).flatMap((run): readonly LineChange[] => {
    if (run.same.length > 0) return run.same.map((line) => whole(line, 'same'));
    if (run.removed.length === run.added.length)
      return run.removed.flatMap((line, index) => wordChanges(line, run.added[index] ?? line));
    return [...run.removed.map((line) => whole(line, 'removed')), ...run.added.map((line) => whole(line, 'added'))];
  });
}

function wordChanges(before: TextLine, after: TextLine): readonly LineChange[] {
  const found = runs(before.words, after.words, wordKey);
  const isOther = before.look !== after.look || before.level !== after.level;
  if (isOther || !found.some(({ same }) => same.some(({ text }) => text.trim() !== '')))
    return [whole(before, 'removed'), whole(after, 'added')];
  const parts = found.flatMap(({ same, removed, added }): readonly WordPart[] => [
    ...(same.length > 0 ? [{ kind: 'same', words: same } as const] : []),
    ...(removed.length > 0 ? [{ kind: 'removed', words: removed } as const] : []),
    ...(added.length > 0 ? [{ kind: 'added', words: added } as const] : []),
  ]);
  return [{ line: after, parts }];
}
