import { expect, test } from 'bun:test';
import { sittings } from './sittings.ts';

const revision = (number: number, author: string | null, at: string) => ({
  ...{ revision: number, action: 'update', name: null, author },
  at: `2026-05-01T${at}:00.000Z`,
});

test('revisions of one person without a long pause are one sitting', () => {
  const found = sittings([
    revision(6, 'tom', '12:00'),
    revision(5, 'ada', '11:59'),
    revision(4, 'ada', '11:30'),
    revision(3, 'ada', '10:59'),
    revision(2, null, '10:58'),
    revision(1, null, '10:57'),
  ]);
  expect(found.map(({ author, revisions }) => [author, revisions.map((one) => one.revision)])).toEqual([
    ['tom', [6]],
    ['ada', [5, 4]],
    ['ada', [3]],
    [null, [2, 1]],
  ]);
  expect(found[1]).toMatchObject({ from: '2026-05-01T11:30:00.000Z', to: '2026-05-01T11:59:00.000Z' });
});
