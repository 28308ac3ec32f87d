import { diffArrays } from 'diff';

/** A part of a text: in both versions, or in one of them. */
export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Longer texts are compared by lines: comparing words takes time that grows with the product of both. */
const mostWords = 4000;

/** Texts with more changes than this have nothing in common that is worth the time to find it. */
const mostChanges = 1500;

/** The words of a text, and what stands between them. */
export const words = (text: string): string[] => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
};

const lines = (text: string): string[] => text.split(/(?<=\n)/);

const parts = (units: (text: string) => string[], before: string, after: string): readonly TextPart[] | undefined =>
  diffArrays(units(before), units(after), { maxEditLength: mostChanges })?.map(({ removed, added, value }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    text: value.join(''),
  }));

/** What was removed and added between two texts, in the order of reading. */
export function textDifference(before: string, after: string): readonly TextPart[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const isShort = before.length + after.length <= mostWords * 6;
  const found = (isShort ? parts(words, before, after) : undefined) ?? parts(lines, before, after);
  if (found !== undefined) return found;
  const replaced: readonly TextPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return replaced.filter(({ text }) => text !== '');
}
