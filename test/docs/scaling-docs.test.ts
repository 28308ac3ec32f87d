import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingTable } from '../../packages/recto/src/config/setting-table.ts';

const read = (name: string): string => readFileSync(join(import.meta.dir, '../../docs', name), 'utf8');
const page = read('scaling.md');
const measurements = read('performance.md');

/** The value of a symbol in the page's table. */
function figureOf(symbol: string): number {
  const row = page.split('\n').find((line) => line.startsWith(`| ${symbol} |`));
  return Number.parseFloat(row?.split('|')[3] ?? '');
}

/** The processor time of a request in the first table of measured figures, in microseconds; that of the limit follows in brackets. */
function measured(operation: string): number {
  const row = measurements.split('\n').find((line) => line.startsWith(`| ${operation} |`));
  return Number.parseFloat(row?.split('|')[9] ?? '');
}

test('the page reckons with what was measured', () => {
  expect(figureOf('c₁')).toBe(measured('cached list of 20'));
  expect(figureOf('c₂')).toBe(measured('uncached get'));
  expect(measurements).toMatch(new RegExp(`^\\| 50 types of 6 fields \\|.*\\| ${figureOf('m')} MiB \\|$`, 'm'));
  expect(figureOf('T')).toBe(settingTable.cmsCacheTtlSecs.default);
});

test('and reckons right', () => {
  const [reads, busy] = [1e5, figureOf('u')];
  const cores = (hits: number): string =>
    ((reads * (hits * figureOf('c₁') + (1 - hits) * figureOf('c₂')) * 1e-6) / busy).toFixed(1);
  expect(page).toContain(`= ${cores(0.9)} cores; with\nh = 0: ${cores(0)} cores`);
  const hits = (writes: number): string => (1 - (1_000 * 16 * (writes + 1 / figureOf('T'))) / reads).toFixed(2);
  expect(page).toContain(`= ${hits(0.1)}. With w = 1: ${hits(1)}.`);
  const depth = (records: number, fanOut: number): number => Math.ceil(Math.log(records) / Math.log(fanOut));
  const [sqlite, postgres] = [(4_096 * 2) / 3 / 47, (8_192 * 2) / 3 / 52];
  expect(page).toContain(`${depth(1e6, sqlite)} pages for 10⁶ records, ${depth(1e9, sqlite)} for 10⁹`);
  expect(page).toContain(`${depth(1e6, postgres)} pages for 10⁶, ${depth(1e9, postgres)} for\n10⁹`);
  expect(page).toContain(`${((1e9 * 1024) / 1024 ** 4).toFixed(2)} TiB`);
});
