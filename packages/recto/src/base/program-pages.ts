import { dlopen } from 'bun:ffi';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** `MADV_DONTNEED` (madvise(2)): the pages are not part of the process until it touches them again. */
const dontNeed = 4;

/** The C library by the name of its file, of glibc and of musl. */
const library = /^(?:libc\.so\.6|libc-[\d.]+\.so|ld-musl-\w+\.so\.1|libc\.musl-\w+\.so\.1)$/;

interface Mapping {
  readonly start: bigint;
  readonly bytes: bigint;
  readonly path: string;
}

/**
 * Leaves the pages of the runtime's own file, its machine code and constants, to the page cache. A start touches many more of
 * them as a service needs that waits for requests; those that are needed again are found in the page cache, without reading from
 * the disk. Linux only; elsewhere, and where anything is not as expected, nothing happens. Returns the size of what it has released.
 */
export function releaseProgramPages(): number {
  if (process.platform !== 'linux') return 0;
  try {
    const smaps = readFileSync('/proc/self/smaps', 'utf8');
    const libc = mappingsIn(smaps).find(({ path }) => library.test(basename(path)));
    return libc === undefined ? 0 : release(libc.path, unchangedParts(smaps, readlinkSync('/proc/self/exe')));
  } catch {
    return 0;
  }
}

function release(libc: string, mappings: readonly Mapping[]): number {
  const { symbols, close } = dlopen(libc, { madvise: { args: ['u64', 'u64', 'i32'], returns: 'i32' } });
  try {
    const released = mappings.filter(({ start, bytes }) => symbols.madvise(start, bytes, dontNeed) === 0);
    return Number(released.reduce((sum, { bytes }) => sum + bytes, 0n));
  } finally {
    close();
  }
}

/**
 * The mappings of a program's file all of whose pages are those of the file: its machine code, and what stands at the beginning of
 * the file. Others may be a part of what was writable at first, which holds values of this run even where no page is counted as private:
 * they may be swapped out, or an emulator may not count them.
 */
export const unchangedParts = (smaps: string, file: string): readonly Mapping[] =>
  mappingsIn(smaps).filter(
    ({ path, rights, offset, isPrivate }) =>
      path === file && !rights.includes('w') && (rights.includes('x') || offset === 0n) && !isPrivate,
  );

/** `00200000-01a38000 r--p 00000000 fe:00 1234   /usr/bin/bun`, and lines of figures (proc_pid_smaps(5)). */
const head = /^([\da-f]+)-([\da-f]+) (\S+) ([\da-f]+) \S+ \d+ +(\/.*)$/;

interface MappedFile extends Mapping {
  readonly rights: string;
  /** In the file. */
  readonly offset: bigint;
  /** Whether something was written to it. */
  readonly isPrivate: boolean;
}

function mappingsIn(smaps: string): readonly MappedFile[] {
  return smaps.split(/\n(?=[\da-f]+-)/).flatMap((text) => {
    const [first = '', ...figures] = text.split('\n');
    const [, start = '', end = '', rights = '', at = '', path = ''] = head.exec(first) ?? [];
    if (path === '') return [];
    const isPrivate = !['Anonymous', 'Swap'].every((name) => figures.some((line) => isNone(line, name)));
    const bytes = BigInt(`0x${end}`) - BigInt(`0x${start}`);
    return [{ start: BigInt(`0x${start}`), bytes, path, rights, offset: BigInt(`0x${at}`), isPrivate }];
  });
}

const isNone = (line: string, name: string): boolean => line.startsWith(`${name}:`) && /: +0 kB$/.test(line);
