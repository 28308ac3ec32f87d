import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../../base/fatal-error.ts';
import { CommitCounters } from './commit-counters.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-counters-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newPath = () => join(folder, String(++files), 'commits');

test('what one raises, all see, and under that name alone', () => {
  const path = newPath();
  const [first, second] = [new CommitCounters(path), new CommitCounters(path)];
  first.raise(['article', 'author']);
  expect([second.of('article'), second.of('author'), second.of('topic')]).toEqual([1, 1, 0]);
  second.raise(['article']);
  expect([first.of('article'), second.of('article')]).toEqual([2, 2]);
});

test('processes that come and go lose none of what they raise at the same moment', async () => {
  const path = newPath();
  const here = new CommitCounters(path);
  const raises = 20_000;
  const script = `
    import { CommitCounters } from ${JSON.stringify(join(import.meta.dir, 'commit-counters.ts'))};
    const counters = new CommitCounters(${JSON.stringify(path)});
    for (let time = 0; time < ${raises}; time++) counters.raise(['article']);`;
  const run = () => Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' }).exited;
  expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
  expect(here.of('article')).toBe(3 * raises);
  expect(await run()).toBe(0);
  expect(here.of('article')).toBe(4 * raises);
});

test('the file is for its owner alone', () => {
  const path = newPath();
  new CommitCounters(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('where none can be created, the start fails and names the path', () => {
  const path = newPath();
  new CommitCounters(path);
  const below = join(path, 'below');
  expect(() => new CommitCounters(below)).toThrow(FatalError);
  expect(() => new CommitCounters(below)).toThrow(below);
});
