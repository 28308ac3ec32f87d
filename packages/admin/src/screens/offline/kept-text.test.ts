import { expect, test } from 'bun:test';
import { keptText } from './kept-text.ts';

test.each([
  ['', ''],
  [null, ''],
  [undefined, ''],
  ['Plain', 'Plain'],
  ['<Why margins> matter', '<Why margins> matter'],
  ['<p>No text of a tag', '<p>No text of a tag'],
  ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
  [0, '0'],
  [false, 'false'],
  [['a', { b: 1 }], '[\n  "a",\n  {\n    "b": 1\n  }\n]'],
])('%j is shown as %j', (value, text) => expect(keptText(value)).toBe(text));
