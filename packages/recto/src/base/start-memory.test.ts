import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test('collects what the start has left when the process is idle', async () => {
  const child = Bun.spawn([process.execPath, path('./start-memory.fixture.ts')]);
  expect(await child.exited).toBe(0);
}, 600_000);

test('does not keep a process that has nothing else to do', async () => {
  const text = `import { releaseStartMemory } from ${JSON.stringify(path('./start-memory.ts'))}; releaseStartMemory();`;
  const child = Bun.spawn([process.execPath, '-e', text]);
  expect(await child.exited).toBe(0);
}, 600_000);
