import { diffArrays } from 'diff';

/** A part of a text: in both versions, or in one of them. */
export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Longer texts are compared by lines: comparing words takes time that grows with the product of both. */
const mostWords = 4000;

const words = (text: string): string[] => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
};

const lines = (text: string): string[] => text.split(/(?<=\n)/);

/** What was removed and added between two texts, in the order of reading. */
export function textDifference(before: string, after: string): readonly TextPart[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const units = before.length + after.length > mostWords * 6 ? lines : words;
  return diffArrays(units(before), units(after)).map(({ removed, added, value }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    text: value.join(''),
  }));
}
