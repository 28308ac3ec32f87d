import { watch } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run dev`: serves the example magazine, reloads its definitions when they change, and restarts when the source of the
 * service changes. (`bun --watch` misses files that an editor replaces instead of writing them in place.)
 */
const root = join(import.meta.dir, '..');
const source = join(root, 'packages/recto/src');
const command = [process.execPath, join(source, 'cli/main.ts'), 'dev', ...process.argv.slice(2)];

/** Editors write a file in several steps; a restart waits until they are done. */
const quietMs = 150;

function start(): Bun.Subprocess {
  return Bun.spawn(command, { cwd: join(root, 'examples/magazine'), stdio: ['inherit', 'inherit', 'inherit'] });
}

let service = start();
let restarting: Promise<void> = Promise.resolve();
let timer: Timer | undefined;

async function restart(): Promise<void> {
  service.kill('SIGTERM');
  await service.exited;
  process.stdout.write('\nThe source has changed: restarting.\n');
  service = start();
}

const watcher = watch(source, { recursive: true }, (_, name) => {
  if (name === null || !name.endsWith('.ts') || name.endsWith('.test.ts')) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    restarting = restarting.then(restart);
  }, quietMs);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    watcher.close();
    clearTimeout(timer);
    await restarting;
    service.kill(signal);
    process.exit(await service.exited);
  });
}
