import { expect, test } from 'bun:test';
import { lineChanges, textHunks, withHunk } from './text-hunks.ts';
import { textUnits } from './text-units.ts';

const hunksOf = (before: string, after: string) => {
  const [one, other] = textUnits('plain', before, after);
  return { before: one, hunks: textHunks(one, other) };
};
const text = 'One.\n\nTwo is short.\n\nThree.\n\nFour.\n';

test('a changed paragraph is one hunk, and its words say what changed', () => {
  const { hunks } = hunksOf(text, text.replace('short', 'long'));
  expect(hunks.map(({ kind }) => kind)).toEqual(['same', 'changed', 'same']);
  const [changed] = hunks.filter((hunk) => hunk.kind === 'changed');
  const [line] = lineChanges(changed?.removed ?? [], changed?.added ?? []);
  expect(line?.parts.map(({ kind, words }) => [kind, words.map((word) => word.text).join('')])).toEqual([
    ['same', 'Two is '],
    ['removed', 'short'],
    ['added', 'long'],
    ['same', '.'],
  ]);
});

test.each([
  ['a changed paragraph', text, 'One!\n\nTwo is long.\n\nThree.\n\nFour.\n'],
  ['a removed paragraph', text, 'One.\n\nThree.\n\nFour.\n'],
  ['a paragraph that was written since', 'One.\n\nFour.\n', text],
  ['lines', 'One\nTwo\nThree', 'One\n2\nThree\nFour'],
  ['a text that begins', '', 'One.'],
  ['a text that ends', 'One.\n\nTwo.', ''],
])('all hunks of %s restored one after another are the text after', (_, before, after) => {
  let now = before;
  for (let step = 0; step < 10 && now !== after; step += 1) {
    const { before: units, hunks } = hunksOf(now, after);
    const next = hunks.find((hunk) => hunk.kind === 'changed');
    if (next === undefined) break;
    now = withHunk(units, next);
  }
  expect(now.trimEnd()).toBe(after.trimEnd());
});
