import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generator } from './load.ts';
import { type Comparison, median, type RoundOptions } from './paired-rounds.ts';
import { growth, measureScale, type ScaleFigure } from './scale.ts';
import { measureSpeed } from './speed.ts';
import { measureStart, type StartFigures } from './starting.ts';
import { fixed, table, whole } from './table.ts';
import { measureWorkers, type WorkersComparison } from './workers.ts';

// npm run bench [-- --quick] [-- --only speed,scale,workers,start]: measures this checkout and prints the tables; the figures also
// go into bench/results/ as JSON.

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
const { quick } = values;
const wanted = (part: string): boolean => values.only?.split(',').includes(part) ?? true;
const options: RoundOptions = { rounds: quick ? 3 : 7, seconds: quick ? 1 : 4, connections: 32 };
const print = (text: string) => process.stdout.write(`${text}\n`);

print(
  `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; load by ${generator}, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s each in turn.\n`,
);

const speed = wanted('speed') ? await measureSpeed(quick ? 10_000 : 100_000, options) : [];
if (wanted('speed')) printSpeed(speed);

const scale: ScaleFigure[] = [];
if (wanted('scale')) {
  const sizes = quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000];
  const rounds: RoundOptions = { rounds: 3, seconds: quick ? 1 : 2, connections: 1 };
  for (const size of sizes) scale.push(...(await measureScale(size, rounds)));
  printScale(scale, sizes);
}

// More connections than elsewhere: the kernel deals them out by chance, and few would be dealt unequally.
const workers = wanted('workers') ? await measureWorkers(2, { ...options, connections: 128 }) : [];
if (wanted('workers')) printWorkers(workers);

const start: StartFigures[] = [];
if (wanted('start')) {
  start.push(await measureStart(50, 6, quick ? 3 : 9));
  start.push(await measureStart(quick ? 100 : 500, 50, 3));
  printStart(start);
}

const results = join(import.meta.dir, 'results');
await mkdir(results, { recursive: true });
await Bun.write(join(results, 'bench.json'), JSON.stringify({ options, speed, scale, workers, start }, null, 2));
print(`The figures are in ${join('bench', 'results', 'bench.json')}.`);

function printSpeed(comparisons: readonly Comparison[]): void {
  const head = ['operation', 'requests/s', 'limit', 'ratio', 'min–max', 'asked', 'p50 ms', 'p99 ms', 'processor µs'];
  const rows = comparisons.map(({ operation, target, ours, limit, ratios }) => [
    operation,
    whole(ours.requestsPerSecond),
    whole(limit.requestsPerSecond),
    fixed(median(ratios)),
    `${fixed(Math.min(...ratios))}–${fixed(Math.max(...ratios))}`,
    fixed(target),
    fixed(ours.p50),
    fixed(ours.p99),
    `${fixed(ours.microseconds, 1)} (${fixed(limit.microseconds, 1)})`,
  ]);
  print(
    `${table(
      [...head, 'MiB'],
      rows.map((row, place) => [...row, whole(comparisons[place]?.ours.mebibytes ?? 0)]),
    )}\n`,
  );
}

function printScale(figures: readonly ScaleFigure[], sizes: readonly number[]): void {
  const names = [...new Set(figures.map(({ operation }) => operation))];
  const rows = names.map((name) => [
    name,
    ...sizes.map((size) => {
      const found = figures.find(({ operation, records }) => operation === name && records === size);
      return found === undefined ? '' : `${fixed(found.measured.p50, 3)} (${fixed(found.measured.p99, 2)})`;
    }),
    fixed(growth(figures, name)),
  ]);
  print(
    `${table(['p50 (p99) in ms, one client', ...sizes.map((size) => `${whole(size)} records`), 'growth'], rows)}\n`,
  );
}

function printWorkers(comparisons: readonly WorkersComparison[]): void {
  const head = ['workers', 'one: requests/s', 'p99 ms', 'two: requests/s', 'p99 ms', 'with cores of their own', 'MiB'];
  const rows = comparisons.map(({ operation, one, p99One, many, p99Many, ratio, ...memory }) => [
    operation,
    whole(one),
    fixed(p99One),
    whole(many),
    fixed(p99Many),
    ratio === null ? '' : `${fixed(ratio)}×`,
    `2 × ${whole(memory.workerMebibytes)} + ${whole(memory.supervisorMebibytes)}`,
  ]);
  print(`${table(head, rows)}\n`);
}

function printStart(figures: readonly StartFigures[]): void {
  const rows = figures.map(({ types, fields, first, later, mebibytes }) => [
    `${types} types of ${fields} fields`,
    `${whole(first * 1000)} ms`,
    `${whole(later * 1000)} ms`,
    `${whole(mebibytes)} MiB`,
  ]);
  print(`${table(['start to first answer', 'tables are made', 'later', 'memory after one second'], rows)}\n`);
}
