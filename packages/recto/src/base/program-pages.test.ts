import { expect, test } from 'bun:test';
import { readFileSync, readlinkSync } from 'node:fs';
import { releaseProgramPages } from './program-pages.ts';

/** Kibibytes of the runtime's file that are part of this process (Linux). */
function residentProgram(): number {
  const file = readlinkSync('/proc/self/exe');
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/\n(?=[\da-f]+-)/);
  const own = mappings.filter((text) => text.split('\n')[0]?.endsWith(` ${file}`));
  return own.reduce((sum, text) => sum + Number(/^Rss: +(\d+) kB$/m.exec(text)?.[1]), 0);
}

test.skipIf(process.platform !== 'linux')('leaves the file of the runtime to the page cache', () => {
  const before = residentProgram();
  expect(releaseProgramPages()).toBeGreaterThan(0);
  expect(residentProgram()).toBeLessThan(before);
});

test('what was released is still there', () => {
  releaseProgramPages();
  Bun.gc(true);
  releaseProgramPages();
  expect(JSON.parse(JSON.stringify({ text: 'a'.repeat(3).replace(/a$/, 'b') }))).toEqual({ text: 'aab' });
});
