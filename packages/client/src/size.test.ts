import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a page loads that has this code, in bytes: bundled for browsers, minified, compressed. */
async function sizeOf(code: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-client-size-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(entry, code.replace('@recto/client', join(import.meta.dir, 'index.ts')));
    const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true });
    return Bun.gzipSync((await outputs[0]?.arrayBuffer()) ?? new ArrayBuffer(0), { level: 9 }).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('everything is small, and reading alone is smaller', async () => {
  const all = await sizeOf("export * from '@recto/client';");
  const reader = await sizeOf("export { createReader } from '@recto/client';");
  expect(reader).toBeGreaterThan(1000);
  expect(reader).toBeLessThanOrEqual(2560);
  expect(all).toBeLessThanOrEqual(5870);
});
