import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rectoTables } from '../../service/recto-tables.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { openSharedState } from './sqlite-shared-state.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recto-'));
  path = join(folder, 'recto.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => {
  const state = openSharedState(path);
  if (state === undefined) throw new Error('Nothing could be shared.');
  return state;
};

/** Does something with the state in another process. */
function elsewhere(what: string): Bun.Subprocess {
  const script = `import { openSharedState } from ${JSON.stringify(join(import.meta.dir, 'sqlite-shared-state.ts'))};
    openSharedState(${JSON.stringify(path)}).${what};`;
  return Bun.spawn([process.execPath, '-e', script], { stdout: 'inherit', stderr: 'inherit' });
}

describe.skipIf(process.platform === 'win32')('what processes share', () => {
  test('a commit is seen at once, whichever process opened the file and when', async () => {
    const [first, second] = [open(), open()];
    const before = second.commits();
    first.committed();
    expect(second.commits()).toBe(before + 1);
    expect(await elsewhere('committed()').exited).toBe(0);
    expect([first.commits(), second.commits(), open().commits()]).toEqual([before + 2, before + 2, before + 2]);
  });

  test('this process is no other that waits', () => {
    const state = open();
    state.waits();
    expect(state.othersWait()).toBe(false);
  });

  test('another one is, also where both have the same number, as in containers of their own', () => {
    const [first, second] = [open(), open()];
    first.waits();
    expect([first.othersWait(), second.othersWait()]).toEqual([false, true]);
  });

  test('another one is, as long as it says so', async () => {
    const state = open();
    const waiting = elsewhere(`waits(); setInterval(() => openSharedState(${JSON.stringify(path)}).waits(), 1)`);
    while (!state.othersWait()) await Bun.sleep(1);
    waiting.kill();
    await waiting.exited;
    while (state.othersWait()) await Bun.sleep(1);
  });

  test('its file is for its owner alone, and is not made anew', () => {
    open().committed();
    open();
    const { size, mode } = statSync(`${path}-shared`);
    expect({ size, mode: mode & 0o777 }).toEqual({ size: 4096, mode: 0o600 });
    expect(open().commits()).toBe(1);
  });

  test('a folder that is not there shares nothing', () => {
    expect(openSharedState(join(folder, 'nowhere', 'recto.db'))).toBeUndefined();
  });
});

test('a look after a commit sees it, also in the turn of the event loop that has looked before', async () => {
  const [reading, writing] = [
    await openSqliteDatabase({ path, engine: rectoTables }),
    await openSqliteDatabase({ path, engine: rectoTables }),
  ];
  try {
    let turnOver = false;
    const looked = Promise.withResolvers<void>();
    const written = writing.transaction(async (transaction) => {
      transaction.touch('article');
      // Bun runs what was set for the end of the turn before anything new comes in.
      setImmediate(() => {
        turnOver = true;
      });
      await reading.generations.refresh();
      looked.resolve();
    });
    await looked.promise;
    // The commit comes in this turn, its flush and so the reply in a later one.
    for (let step = 0; step < 100; step += 1) await undefined;
    expect(turnOver).toBe(false);
    await reading.generations.refresh();
    expect(reading.generations.of('article')).toBe(1);
    await written;
  } finally {
    await reading.close();
    await writing.close();
  }
});
