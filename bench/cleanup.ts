import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spawn, Subprocess } from 'bun';

const children = new Set<Subprocess>();
const folders = new Set<string>();

/** Starts a process that ends with this one at the latest, unless this is ended by SIGKILL. */
export function spawnChild<
  In extends Spawn.Writable = 'ignore',
  Out extends Spawn.Readable = 'pipe',
  Err extends Spawn.Readable = 'inherit',
>(command: readonly string[], options: Spawn.SpawnOptions<In, Out, Err>): Subprocess<In, Out, Err> {
  const child = Bun.spawn([...command], options);
  children.add(child);
  void child.exited.then(() => children.delete(child));
  return child;
}

/** An empty folder, deleted with this process at the latest. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-bench-'));
  folders.add(folder);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** How long children may take to end, in milliseconds. */
const patience = 5_000;

/** Ends all children and deletes their files. */
async function endAll(): Promise<void> {
  const running = [...children];
  for (const child of running) child.kill('SIGTERM');
  await Promise.race([Promise.all(running.map(({ exited }) => exited)), Bun.sleep(patience)]);
}

/** Call once: cleans up on Ctrl-C and similar signals. */
export function cleanUpAtExit(): void {
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  let ending = false;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      // A second signal ends the run at once.
      if (ending) process.exit(code);
      ending = true;
      // Code that awaits the children would report that they failed.
      process.on('uncaughtException', () => undefined);
      process.on('unhandledRejection', () => undefined);
      void endAll().finally(() => process.exit(code));
    });
  }
}
