import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readTestFiles } from './test-files.ts';
import { planTests } from './test-plan.ts';
import { filesOfShard, readShard } from './test-shard.ts';
import { recordedTimes } from './test-times.ts';

test.each([
  ['2/4', { part: 2, of: 4 }],
  ['1/1', { part: 1, of: 1 }],
  ['0/4', undefined],
  ['5/4', undefined],
  ['1', undefined],
  ['1/4 ', undefined],
  ['-1/4', undefined],
])('%s', (text, shard) => expect(readShard(text)).toEqual(shard));

test('a part has what takes as long as any other, whatever is not known', () => {
  // What is not known counts as 44.
  const times = { a: 90, b: 50, c: 40, d: 30, e: 10 };
  const parts = [1, 2].map((part) => filesOfShard(['a', 'b', 'c', 'd', 'e', 'new'], times, { part, of: 2 }));
  expect(parts).toEqual([
    ['a', 'c'],
    ['b', 'd', 'e', 'new'],
  ]);
});

const files = await readTestFiles(join(import.meta.dir, '../../..'));

test.each(['fast', 'rest'] as const)('each file of the project is in one of four parts (%s)', (tier) => {
  const plan = planTests(files, { tier, databases: ['sqlite', 'postgres'] });
  for (const database of ['sqlite', 'postgres'] as const) {
    const times = recordedTimes(database);
    const all = plan.files[database];
    const parts = [1, 2, 3, 4].map((part) => filesOfShard(all, times, { part, of: 4 }));
    expect(parts.flat().toSorted()).toEqual(all.toSorted());
  }
});
