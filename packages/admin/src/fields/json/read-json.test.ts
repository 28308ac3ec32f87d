import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { readJson } from './read-json.ts';

test.each([
  ['{"a": 1,}', 'character', 1, 9],
  ['{"a": 1', 'end', 1, 8],
  ['{\n  "a": 1,\n  b: 2\n}', 'character', 3, 3],
  ['[1, 2', 'end', 1, 6],
  ['[1 2]', 'character', 1, 4],
  ['"ab\ncd"', 'string', 1, 4],
  ['"open', 'string', 1, 1],
  ['"a\\x"', 'escape', 1, 3],
  ['01', 'number', 1, 1],
  ['1.', 'number', 1, 1],
  ['truely', 'character', 1, 1],
  ['{"a": 1, "a": 2}', 'repeated', 1, 10],
  ['{} {}', 'after', 1, 4],
  ['["😀", x]', 'character', 1, 7],
  ['', 'end', 1, 1],
])('%p: %s at line %i, column %i', (text, issue, line, column) => {
  expect(readJson(text)).toMatchObject({ issue, line, column });
});

test('too many levels are named at the first bracket of them', () => {
  expect(readJson(`${'['.repeat(64)}${']'.repeat(64)}`)).toHaveProperty('value');
  expect(readJson(`${'['.repeat(65)}${']'.repeat(65)}`)).toMatchObject({ issue: 'depth', column: 65 });
});

test('accepts what JSON.parse accepts, with its value, and rejects the rest', () => {
  const near = fc.array(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '.5', 'e3', 'true', 'null', ' ', '\n', '\\'),
  );
  const texts = fc.oneof(
    fc.json(),
    near.map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = readJson(text);
      let value: unknown;
      let isJson = true;
      try {
        value = JSON.parse(text);
      } catch {
        isJson = false;
      }
      if (!isJson) expect(read).toHaveProperty('issue');
      else if ('issue' in read) expect(['repeated', 'depth']).toContain(read.issue);
      else expect(read.value).toEqual(value);
    }),
    { numRuns: randomCases(3000) },
  );
});
