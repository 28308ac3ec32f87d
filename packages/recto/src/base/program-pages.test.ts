import { expect, test } from 'bun:test';
import { readFileSync, readlinkSync } from 'node:fs';
import { releaseProgramPages, unchangedParts } from './program-pages.ts';

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

test('what was writable at first is no part that is released, whatever is counted of it', () => {
  const mapping = (head: string, anonymous: number, swap: number): string =>
    `${head}   /usr/bin/bun\nSize: 32 kB\nAnonymous:            ${anonymous} kB\nSwap:            ${swap} kB\nVmFlags: rd mr mw me`;
  const smaps = [
    mapping('00200000-01a38000 r--p 00000000 fe:00 1234', 0, 0),
    mapping('01a38000-0685f000 r-xp 01837000 fe:00 1234', 0, 0),
    mapping('0685f000-06867000 r--p 06656000 fe:00 1234', 12, 0),
    mapping('06867000-06868000 r--p 0665e000 fe:00 1234', 0, 12),
    mapping('06868000-06869000 r--p 0665f000 fe:00 1234', 0, 0),
    mapping('06869000-06a00000 rw-p 06660000 fe:00 1234', 0, 0),
    mapping('06a00000-06b00000 r-xp 06700000 fe:00 1234', 4, 0),
    mapping('06b00000-06c00000 r-xp 06800000 fe:00 1234', 0, 4),
    '7f0000000000-7f0000001000 r-xp 00000000 00:00 0\nAnonymous: 0 kB\nSwap: 0 kB',
    mapping('7f0000002000-7f0000003000 r-xp 00000000 fe:00 99', 0, 0).replace('/usr/bin/bun', '/usr/lib/libc.so.6'),
  ].join('\n');
  expect(unchangedParts(smaps, '/usr/bin/bun').map(({ start }) => start)).toEqual([0x200000n, 0x1a38000n]);
});
