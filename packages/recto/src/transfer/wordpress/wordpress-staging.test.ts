import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { oneLanguage } from '../../definition/languages/languages.ts';
import { type StagedComment, type StagedItem, WordpressStaging } from './wordpress-staging.ts';

const publication = (title: string) => ({
  body: { title },
  creator: '',
  thumbnail: '',
  categories: [],
  tags: [],
  language: { code: '', group: '' },
  omittedMeta: 0,
  remarks: [],
});
const nowhere = { page: false, post: false, category: false, attachment: false };
const comment = { skipped: null, body: {}, user: null, remarks: [] };
const begin = { level: -1, number: 0 };

function all<E extends StagedItem | StagedComment>(
  next: (after: { level: number; number: number }) => readonly E[],
): readonly E[] {
  const entries: E[] = [];
  for (let page = next(begin); page.length > 0; page = next(page.at(-1) ?? begin)) entries.push(...page);
  return entries;
}

/** Reply relations; any id may be a parent, even of itself. `kept` are the comments that are not skipped. */
const threads = fc.array(fc.record({ parent: fc.integer({ min: 0, max: 30 }), isKept: fc.boolean() }), {
  maxLength: 30,
});

test('every comment comes once, after what it answers, and no thread is too deep', () => {
  const deepest = 3;
  fc.assert(
    fc.property(threads, (comments) => {
      using staging = new WordpressStaging(tmpdir());
      staging.addItem(1, 'post', '7', '0', publication('A post'));
      for (const [index, { parent, isKept }] of comments.entries()) {
        staging.addComment(1, `${index + 1}`, `${parent}`, isKept ? comment : { skipped: 'for a test' });
      }
      staging.settle(deepest, oneLanguage, nowhere);
      const ordered = all((after) => staging.comments(after));
      expect(ordered.map(({ external_id }) => Number(external_id)).toSorted((a, b) => a - b)).toEqual(
        comments.map((_, index) => index + 1),
      );
      const depths = new Map<string, number>();
      for (const { external_id: id, anchor, skipped, item_id } of ordered) {
        expect(item_id).toBe('7');
        if (skipped !== null) continue;
        const above = anchor === null ? undefined : depths.get(anchor);
        if (anchor !== null) expect(above).toBeDefined();
        depths.set(id, above === undefined ? 0 : above + 1);
      }
      expect(Math.max(0, ...depths.values())).toBeLessThanOrEqual(deepest);
    }),
    { numRuns: randomCases(60) },
  );
});

test('a reply to what is skipped answers the nearest above that is not; deeper ones are raised', () => {
  using staging = new WordpressStaging(tmpdir());
  staging.addItem(1, 'post', '7', '0', publication('A post'));
  const parents: Readonly<Record<string, string>> = { a: '0', b: 'a', c: 'b', d: 'c', e: 'd', f: 'none', g: 'other' };
  for (const [id, parent] of Object.entries(parents)) {
    staging.addComment(1, id, parent, id === 'b' ? { skipped: 'for a test' } : comment);
  }
  staging.addComment(2, 'other', '0', comment);
  staging.settle(2, oneLanguage, nowhere);
  const staged = all((after) => staging.comments(after)).map(({ external_id: id, anchor, is_moved }) => [
    id,
    anchor,
    is_moved,
  ]);
  expect(Object.fromEntries(staged.map(([id, ...rest]) => [id, rest]))).toEqual({
    a: [null, 0],
    b: ['a', 0],
    c: ['a', 0],
    d: ['c', 0],
    e: ['c', 1],
    f: [null, 0],
    g: [null, 0],
    other: [null, 0],
  });
});

test('pages come after those above them, in whatever order the file has them; circles are opened', () => {
  using staging = new WordpressStaging(tmpdir());
  const parents: Readonly<Record<string, string>> = { c: 'b', b: 'a', a: '0', x: 'y', y: 'x', lost: 'nowhere' };
  for (const [index, [id, parent]] of Object.entries(parents).entries()) {
    staging.addItem(index + 1, 'page', id, parent, publication(id));
  }
  staging.settle(5, oneLanguage, nowhere);
  const staged = all((after) => staging.items(after)).map(({ external_id: id, parent }) => [id, parent]);
  expect(staged).toHaveLength(6);
  expect(staged.filter(([id = '']) => 'abc'.includes(id))).toEqual([
    ['a', '0'],
    ['b', 'a'],
    ['c', 'b'],
  ]);
  expect(staged).toContainEqual(['lost', 'nowhere']);
  for (const id of ['x', 'y']) expect(staged).toContainEqual([id, '0']);
});

test('what the file has twice is taken once', () => {
  using staging = new WordpressStaging(tmpdir());
  expect(staging.addItem(1, 'post', '7', '0', publication('One'))).toBe(true);
  expect(staging.addItem(2, 'post', '7', '0', publication('Two'))).toBe(false);
  expect(staging.addItem(3, 'page', '7', '0', publication('A page may have its number'))).toBe(true);
  expect(staging.addComment(1, '5', '0', comment)).toBe(true);
  expect(staging.addComment(1, '5', '0', comment)).toBe(false);
  staging.settle(5, oneLanguage, nowhere);
  expect(staging.total).toBe(3);
  expect(staging.publication(1).body.title).toBe('One');
});

test('one transaction takes so many characters, and one entry at least', () => {
  using staging = new WordpressStaging(tmpdir());
  for (let number = 1; number <= 4; number += 1) {
    staging.addItem(number, 'post', `${number}`, '0', publication('x'.repeat(1_500_000)));
  }
  staging.addItem(5, 'post', '5', '0', publication('x'.repeat(9_000_000)));
  staging.settle(5, oneLanguage, nowhere);
  expect(staging.items(begin).map(({ number }) => number)).toEqual([1]);
  expect(staging.items({ level: 0, number: 4 }).map(({ number }) => number)).toEqual([5]);
});

test('a signed-in commenter is found by number, else by address', () => {
  using staging = new WordpressStaging(tmpdir());
  staging.addAuthor({ id: '3', login: 'ada', email: 'ada@site.example', displayName: '' });
  staging.addAuthor({ id: '', login: 'ben', email: 'Ben@site.example', displayName: '' });
  staging.setAccount('ada', 'account of ada');
  staging.setAccount('ben', 'account of ben');
  expect(staging.accountOfUser('3', 'someone@else.example')).toBe('account of ada');
  expect(staging.accountOfUser('9', 'ben@SITE.example')).toBe('account of ben');
  expect(staging.accountOfUser('9', 'ada@site.example')).toBeNull();
  expect([staging.accountOf('ada'), staging.accountOf('nobody')]).toEqual(['account of ada', undefined]);
});
