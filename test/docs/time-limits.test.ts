import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// A test fails for what it finds, never because the machine is slow: one that needs a limit of its own has that of `npm test`.

const root = join(import.meta.dir, '../..');
const shortest = 600_000;

/** The last argument of a test, where it begins with a number: `}, 60_000);`, or `60_000 + saves * 6_000,` on a line of its own. */
const limits = /^(?: {0,4}\}, ([\d_]{4,})\);| +([\d_]{4,})(?: \+ .*)?,\n *\);)$/gm;

test('no test has a shorter time limit than all of them', () => {
  const short: string[] = [];
  let found = 0;
  for (const file of new Bun.Glob('{test,packages,bench}/**/*.test.ts').scanSync(root)) {
    if (file.includes('node_modules')) continue;
    for (const [, inLine, limit = inLine ?? ''] of readFileSync(join(root, file), 'utf8').matchAll(limits)) {
      found += 1;
      if (Number(limit.replaceAll('_', '')) < shortest) short.push(`${file}: ${limit}`);
    }
  }
  expect(short).toEqual([]);
  expect(found).toBeGreaterThan(10);
});
