import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, processorSeconds, startServer } from './child-server.ts';
import { makeFolder, removeFolder } from './cleanup.ts';
import { manyTypes } from './starting.ts';

/**
 * How fast each form of the product starts with stored data, and what it takes: `bun bench/start.ts [starts] [types]`. Processor time is
 * what to compare on a machine that does other work. `bare` is a `Bun.serve` that does nothing, in one process; `npm run build` and `npm run build:executable` make what is measured.
 */
const root = join(import.meta.dir, '..');
const [starts = 9, types = 50] = process.argv.slice(2).map(Number);

const forms: readonly { readonly name: string; readonly file: string; readonly command: readonly string[] }[] = [
  { name: 'bare', file: 'bench/limits/bare-start.ts', command: [process.execPath] },
  { name: 'source', file: 'packages/recto/src/cli/main.ts', command: [process.execPath] },
  { name: 'package', file: 'packages/recto/dist/main.js', command: [process.execPath] },
  { name: 'executable', file: 'dist/recto', command: [] },
];

interface Start {
  /** From the start of the process to the first answer. */
  readonly milliseconds: number;
  /** Of all its processes, until a second after the first answer. */
  readonly processorMs: number;
  /** Shared pages divided among those that share them. */
  readonly mebibytes: number;
}

const folder = await makeFolder();
try {
  for (const type of manyTypes(types, 12))
    await Bun.write(join(folder, 'content-types', `${type.singular}.json`), JSON.stringify(type));
  process.stdout.write(`${types} types, ${starts} starts each: least, median\n`);
  for (const workers of ['1', 'auto']) {
    for (const form of forms.filter(
      ({ name, file }) => existsSync(join(root, file)) && (name !== 'bare' || workers === '1'),
    )) {
      const command = [...form.command, join(root, form.file), 'start', '--workers', workers];
      // Makes the tables.
      await measure(command);
      const found: Start[] = [];
      for (let round = 0; round < starts; round += 1) found.push(await measure(command));
      const figures = (['milliseconds', 'processorMs', 'mebibytes'] as const).map((name) => spread(found, name));
      process.stdout.write(`${form.name.padEnd(11)} ${workers.padEnd(5)} ${figures.join('  ')}\n`);
    }
  }
} finally {
  await removeFolder(folder);
}

async function measure(command: readonly string[]): Promise<Start> {
  await using server = await startServer({
    command,
    environment: {
      RECTO_PORT: '0',
      RECTO_LOG_LEVEL: 'warn',
      RECTO_DATA_DIR: join(folder, 'data'),
      RECTO_CONTENT_TYPES_DIR: join(folder, 'content-types'),
      RECTO_ADMIN_EMAIL: 'bench@example.com',
      RECTO_ADMIN_PASSWORD: 'a bench password',
    },
    address: /http:\/\/127\.0\.0\.1:\d+/,
    firstPath: '/api/v1/cms/things-1',
  });
  await Bun.sleep(1_000);
  const pids = await family(server);
  const seconds = await Promise.all(pids.map(processorSeconds));
  const memory = await Promise.all(pids.map(proportionalMebibytes));
  return { milliseconds: server.startSeconds * 1000, processorMs: sum(seconds) * 1000, mebibytes: sum(memory) };
}

/** A process and those that it started (Linux). */
async function family({ pid }: Pick<ChildServer, 'pid'>): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

async function proportionalMebibytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) / 1024;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function spread(found: readonly Start[], name: keyof Start): string {
  const values = found.map((start) => start[name]).toSorted((a, b) => a - b);
  const unit = { milliseconds: 'ms', processorMs: 'ms of processor', mebibytes: 'MiB' }[name];
  return `${values[0]?.toFixed(0)}, ${values[Math.floor(values.length / 2)]?.toFixed(0)} ${unit}`;
}
