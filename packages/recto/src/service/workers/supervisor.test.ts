// databases: sqlite:rest
import { afterEach, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { FatalError } from '../../base/fatal-error.ts';
import { createLogger } from '../../base/logger.ts';
import { readSettings } from '../../config/settings.ts';
import type { Assignment } from './messages.ts';
import { Supervisor, type Timing } from './supervisor.ts';

const assignment: Assignment = {
  settings: readSettings({}),
  secret: 'nobody signs anything here',
  definitions: { directory: '', sources: [], unreadable: [] },
  roles: { directory: '', sources: [], unreadable: [] },
  startedAt: Date.now(),
  workers: 1,
};

const program = fileURLToPath(new URL('./worker.fixture.ts', import.meta.url));
const quick: Timing = { lookEvery: 20, silence: 60_000, delays: [0, 20, 30], steadyAfter: 60_000 };

type Line = Readonly<Record<string, unknown>>;

let opened: { readonly supervisor: Supervisor; readonly lines: readonly Line[] } | undefined;

function supervise(behaviour: string, count = 2, timing: Partial<Timing> = {}) {
  const lines: Line[] = [];
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const command = [process.execPath, program, behaviour];
  const supervisor = new Supervisor({ count, command, log, timing: { ...quick, ...timing } });
  opened = { supervisor, lines };
  return opened;
}

afterEach(async () => {
  await opened?.supervisor.stop();
  opened = undefined;
}, 600_000);

/** Resolves with the lines of this message when there are so many; the test's time limit ends it otherwise. */
async function logged(lines: readonly Line[], message: string, count: number): Promise<readonly Line[]> {
  for (;;) {
    const found = lines.filter(({ msg }) => msg === message);
    if (found.length >= count) return found;
    await Bun.sleep(5);
  }
}

test('serves when all workers listen, and stops in order', async () => {
  const { supervisor, lines } = supervise('serve', 3);
  await supervisor.serve(assignment);
  expect(await supervisor.stop()).toBe(true);
  expect(lines).toEqual([]);
});

test('a stop before anything is served', async () => {
  expect(await supervise('serve').supervisor.stop()).toBe(true);
});

test('reports a worker that does not stop in order', async () => {
  const { supervisor } = supervise('stubborn');
  await supervisor.serve(assignment);
  expect(await supervisor.stop()).toBe(false);
});

test.each([
  ['refuse', 'There is no space.'],
  ['fall', 'A worker ended before it could serve (exit code 7).'],
])('workers that %s make the start fail', async (behaviour, message) => {
  const { supervisor } = supervise(behaviour);
  await expect(supervisor.serve(assignment)).rejects.toThrow(new FatalError(message));
});

test('replaces workers that die, later and later', async () => {
  const { supervisor, lines } = supervise('die', 1);
  await supervisor.serve(assignment);
  supervisor.ready();
  const ends = await logged(lines, 'a worker ended', 5);
  expect(ends.slice(0, 5)).toMatchObject(
    [0, 20, 30, 30, 30].map((replaced_after_ms) => ({ worker: 1, end: 'signal SIGKILL', replaced_after_ms })),
  );
  expect(await logged(lines, 'a worker was replaced', 4)).not.toBeEmpty();
});

test('stops in order also while the place of one that died is empty', async () => {
  const { supervisor, lines } = supervise('die', 1, { delays: [60_000] });
  await supervisor.serve(assignment);
  await logged(lines, 'a worker ended', 1);
  expect(await supervisor.stop()).toBe(true);
});

test('one that has lived for long is replaced at once', async () => {
  const { supervisor, lines } = supervise('die', 1, { steadyAfter: 0 });
  await supervisor.serve(assignment);
  const ends = await logged(lines, 'a worker ended', 4);
  expect(ends.every(({ replaced_after_ms }) => replaced_after_ms === 0)).toBe(true);
});

test('ends and replaces a worker whose event loop does not turn', async () => {
  const { supervisor, lines } = supervise('hang', 1, { silence: 5_000 });
  await supervisor.serve(assignment);
  supervisor.ready();
  await logged(lines, 'a worker does not answer any more and is ended', 1);
  const [replaced] = await logged(lines, 'a worker was replaced', 1);
  // It hangs as well, and a stop would wait for it.
  process.kill(Number(replaced?.pid), 'SIGKILL');
}, 600_000);
