import { expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { settleSqliteFile } from '../../../packages/recto/src/database/sqlite/sqlite-copy.ts';
import { openSqliteDatabase } from '../../../packages/recto/src/database/sqlite/sqlite-database.ts';
import { migrateSchema } from '../../../packages/recto/src/migrations/migrate-schema.ts';
import { rectoTables } from '../../../packages/recto/src/service/recto-tables.ts';
import { expectSchemaAgrees } from '../../support/database/schema-agrees.ts';
import { killsOf } from '../../support/random-cases.ts';
import { volatileFolder } from '../../support/volatile-folder.ts';
import { smallSize } from './content.ts';
import { dump, fingerprint } from './dump.ts';
import { fill, typesAfter } from './opened.ts';
import { steps } from './steps.ts';

/** How often the process is killed; RECTO_TEST_KILLS for another number. */
const kills = killsOf(20);
const seed = Number(process.env.RECTO_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Histories that are gone through side by side, each on a file of its own. */
const lanes = 2;

test(`killed ${kills} times at random points of a history (seed ${seed}), it is always between two steps`, async () => {
  const folder = mkdtempSync(join(volatileFolder(), 'recto-kill-'));
  try {
    const program = await bundledChild(folder);
    const history = await recordHistory(folder);
    const counts = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        goThrough(history, program, join(folder, `lane-${lane}.db`), randomOf(seed + lane), Math.ceil(kills / lanes)),
      ),
    );
    const within = counts.reduce((sum, lane) => sum + lane.within, 0);
    const committed = counts.reduce((sum, lane) => sum + lane.committed, 0);
    // biome-ignore lint/suspicious/noConsole: the seed and what it came to, for a run by hand.
    console.log(`${kills} kills, seed ${seed}: ${within} during a step, of which ${committed} had been committed`);
    // A test that only ever kills an idle process shows nothing.
    expect(within).toBeGreaterThan(kills / 10);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 3_600_000);

interface History {
  /** A filled database before the first step. */
  readonly first: string;
  /** What the database is after so many steps. */
  readonly states: readonly { readonly mark: string; readonly lines: readonly string[] }[];
}

/** Goes through all steps once, undisturbed. */
async function recordHistory(folder: string): Promise<History> {
  const first = join(folder, 'first.db');
  const path = join(folder, 'undisturbed.db');
  const filled = await openSqliteDatabase({ path: first, engine: rectoTables });
  await fill(filled, smallSize);
  await filled.close();
  settleSqliteFile(first);
  copyFileSync(first, path);
  const states = [stateOf(path)];
  for (const [index, step] of steps.entries()) {
    const database = await openSqliteDatabase({ path, engine: rectoTables });
    await migrateSchema(database, typesAfter(index + 1), { all: false, names: step.drop ?? [] });
    await database.close();
    await expectSchemaAgrees(path);
    states.push(stateOf(path));
  }
  return { first, states };
}

const stateOf = (path: string) => ({ mark: fingerprint(path), lines: dump(path) });

/** Starts over when the end is reached, until it was killed so often. */
async function goThrough(history: History, program: string, path: string, random: () => number, times: number) {
  let at = steps.length;
  let within = 0;
  let committed = 0;
  for (let killed = 0; killed < times; killed++) {
    if (at === steps.length) {
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      copyFileSync(history.first, path);
      at = 0;
    }
    const child = await startChild(program);
    const { begun, done } = await child.killed(path, at, random);
    const now = await stateFound(history, path, done);
    if (begun > done) within += 1;
    if (now > done) {
      // Only the step that ran can have been committed without being reported.
      expect(now).toBe(begun);
      committed += 1;
    }
    at = now;
  }
  return { within, committed };
}

/** Which state the file is in: the one after the steps that were reported as done, or the next. Anything else is a failure. */
async function stateFound({ states }: History, path: string, done: number): Promise<number> {
  // As the next start does: it takes up what the log holds.
  const database = await openSqliteDatabase({ path, engine: rectoTables });
  await database.close();
  await expectSchemaAgrees(path);
  const mark = fingerprint(path);
  for (const count of [done, done + 1]) if (states[count]?.mark === mark) return count;
  expect(dump(path)).toEqual([...(states[done]?.lines ?? [])]);
  throw new Error('The two dumps are the same, and their fingerprints are not.');
}

/** The child as one file, which starts several times as fast. */
async function bundledChild(folder: string): Promise<string> {
  const entry = join(import.meta.dir, 'migrating-child.ts');
  const { outputs } = await Bun.build({ entrypoints: [entry], outdir: folder, target: 'bun' });
  const [output] = outputs;
  if (output === undefined) throw new Error('The child could not be bundled.');
  return output.path;
}

/** A child that is up, and what becomes of it. */
async function startChild(program: string) {
  const child = Bun.spawn([process.execPath, program], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let text = '';
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    if (value !== undefined) text += decoder.decode(value, { stream: true });
    return !done;
  };
  while (!text.includes('up\n') && (await read()));
  return {
    /** Lets it go on from a step, kills it at a random moment, and returns the last step that it began and the last that it did. */
    async killed(path: string, from: number, random: () => number): Promise<{ begun: number; done: number }> {
      // Some of the first steps it takes, and somewhere in the next one.
      const target = Math.min(from + Math.floor(random() * 4), steps.length - 1);
      child.stdin.write(`${path} ${from}\n`);
      child.stdin.flush();
      while (!text.includes(`step ${target}\n`) && (await read()));
      await Bun.sleep(random() * 12);
      child.kill('SIGKILL');
      await child.exited;
      while (await read());
      const last = (word: string): number =>
        Math.max(-1, ...[...text.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, number]) => Number(number)));
      return { begun: Math.max(last('step') + 1, from), done: Math.max(last('done'), from) };
    },
  };
}

/** Mulberry32: small numbers from a seed, the same each time. */
function randomOf(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
