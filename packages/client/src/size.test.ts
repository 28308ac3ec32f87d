import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a page loads that has this code, in bytes: bundled for browsers, minified, compressed. */
async function sizeOf(code: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-client-size-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(
      entry,
      code.replace(/'\.\/(\w+\.ts)'/, (_, file) => JSON.stringify(join(import.meta.dir, file))),
    );
    const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true });
    return Bun.gzipSync((await outputs[0]?.arrayBuffer()) ?? new ArrayBuffer(0), { level: 9 }).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('everything is small, and reading alone is smaller', async () => {
  const reader = await sizeOf("export { createReader } from './index.ts';");
  expect(reader).toBeGreaterThan(1000);
  expect(reader).toBeLessThanOrEqual(2255);
  expect(await sizeOf("export * from './index.ts';")).toBeLessThanOrEqual(6475);
});

test('what pages with a preview load is small', async () => {
  const preview = await sizeOf("export * from './preview.ts';");
  expect(preview).toBeGreaterThan(300);
  expect(preview).toBeLessThanOrEqual(1500);
});

test('the admin routes add little', async () => {
  const editing = await sizeOf("export { createAdminClient } from './admin.ts';");
  expect(editing).toBeLessThanOrEqual(6825);
});
