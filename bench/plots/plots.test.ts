import { expect, test } from 'bun:test';
import { SaxesParser } from 'saxes';
import type { Comparison, Measured } from '../paired-rounds.ts';
import type { Results } from '../results-file.ts';
import { drawPlots } from './index.ts';

const measured = (p50: number): Measured => ({
  requestsPerSecond: 1_000,
  p50,
  p99: p50 * 3,
  microseconds: 30,
  mebibytes: 100,
});

const compared = (operation: string, target: number, ratios: readonly number[]): Comparison => ({
  operation,
  target,
  ours: measured(1),
  limit: measured(1),
  ratios,
});

const of = (figures: unknown) => ({ machine: 'of the test', figures });

const soaked = of({
  ...{ seconds: 600, requests: 1, requestsPerSecond: 9_000, processors: 1, unexpected: 0, answers: {} },
  ...{ slope: 0.12, slopeError: 0.08 },
  samples: Array.from({ length: 50 }, (_, place) => ({
    at: place * 12,
    total: 200,
    anonymous: 150 + place * 0.02,
    mapped: 50,
    cached: 20,
  })),
});

const scaled = (database: string) =>
  ['get & show', 'list <first>'].flatMap((operation) =>
    [1_000, 1_000_000].map((records) => ({ database, operation, records, p50: 0.2, p99: 0.6 })),
  );

const results: Results = {
  speed: of([
    compared('cached list of 20', 0.7, [0.6, 0.74, 1.09]),
    compared('uncached list, filtered and sorted, of 10,000 with total', 0.6, [4.38, 4.42, 4.56]),
  ]),
  'speed-postgres': of([compared('cached list of 20', 0.7, [0.6, 0.72, 0.8])]),
  scale: of(scaled('SQLite')),
  'scale-postgres': of(scaled('PostgreSQL')),
  start: of([
    { types: 50, fields: 6, workers: '1', first: 0.378, later: 0.301, mebibytes: 96 },
    { types: 500, fields: 50, workers: '1', first: 1.5, later: 0.6, mebibytes: 156 },
  ]),
  soak: soaked,
  'soak-postgres': soaked,
  neighbour: of([
    { workers: 1, neighbour: 'nobody', gets: { p50: 0.3, p99: 2 } },
    { workers: 2, neighbour: '`recto import json`', gets: { p50: 0.5, p99: 26 } },
  ]),
};

/** The texts that each plot must contain. */
const labels: Readonly<Record<string, readonly string[]>> = {
  'ratio.svg': ['cached list of 20', 'uncached list, filtered and', 'SQLite', 'PostgreSQL', 'asked', '0.74', '4.42'],
  'scale.svg': ['get & show', 'list <first>', 'records', '1,000,000', 'median latency in ms, one client'],
  'scale-postgres.svg': ['get & show', '1,000,000', 'Latency by the number of records, PostgreSQL'],
  'start.svg': ['50 types', 'of 50 fields', 'ms to the first answer', 'resident memory in MiB', '378', '156'],
  'soak-postgres.svg': ['Memory of one process under full load, PostgreSQL', 'minutes of load'],
  'soak.svg': [
    'cached answers',
    'mapped files',
    'anonymous, second half: 0.12 ± 0.08 MiB a minute',
    'minutes of load',
    'resident memory in MiB',
  ],
  'neighbour.svg': ['nobody', 'one process', 'recto import json', '2 workers', '20 ms', 'latency in ms', '26.0'],
};

/** The texts of an SVG by the elements that they stand in. Throws for invalid XML. */
function textsOf(svg: string): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  const path: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => path.push(name));
  parser.on('closetag', () => path.pop());
  parser.on('text', (text) => {
    const element = path.at(-1) ?? '';
    texts.set(element, [...(texts.get(element) ?? []), text.trim()]);
  });
  parser.write(svg).close();
  return texts;
}

const plots = drawPlots(results);

test.each(Object.entries(labels))('%s is XML that says what it shows', (file, expected) => {
  const texts = textsOf(plots.find((plot) => plot.file === file)?.svg ?? '');
  for (const label of expected) expect(texts.get('text')).toContain(label);
  expect(texts.get('title')?.join('')).not.toBe('');
  expect(texts.get('desc')?.join('').length).toBeGreaterThan(40);
});

test('the same figures are the same bytes, drawn alone or after others, and few', () => {
  expect(drawPlots(results)).toEqual(plots);
  const { soak } = results;
  expect(drawPlots({ soak })).toEqual(plots.filter(({ file }) => file === 'soak.svg'));
  for (const { svg } of plots) expect(svg.length).toBeLessThan(60_000);
});

test('what has not been measured is not drawn', () => {
  expect(drawPlots({})).toEqual([]);
  expect(drawPlots({ 'speed-postgres': results['speed-postgres'] }).map(({ file }) => file)).toEqual(['ratio.svg']);
});
