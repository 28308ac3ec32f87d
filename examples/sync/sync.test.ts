import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../packages/client/src/index.ts';
import { TestService } from '../../test/support/service.ts';
import { sync } from './sync.ts';

const open = { access: 'public' };
const definition = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: open, list: open },
};
let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'recto-sync-'));
beforeAll(async () => {
  service = await TestService.open([definition], { builtIn: true });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Runs the script until the file has these titles. */
async function untilTitles(file: string, titles: readonly string[], meanwhile?: () => Promise<unknown>): Promise<void> {
  const recto = createClient({
    url: 'http://recto.test',
    fetch: (request) => Promise.resolve(service.app.fetch(request)),
  });
  const controller = new AbortController();
  const done = new Error('done');
  let first = true;
  const running = sync(recto, 'notes', file, controller.signal, ({ records }) => {
    const found = Object.values(records).map((record) => String(Object(record).title));
    if (found.toSorted().join() === titles.toSorted().join()) controller.abort(done);
    if (first) void meanwhile?.();
    first = false;
  });
  expect(await running.catch((error: unknown) => error)).toBe(done);
}

test('the file has all records, follows changes, and catches up after a pause', async () => {
  const file = join(folder, 'notes.json');
  const one = await service.seed('notes', { title: 'One' });
  await untilTitles(file, ['One', 'Two'], () => service.seed('notes', { title: 'Two' }));
  // While the script is not running.
  await service.send(`DELETE /api/v1/admin/cms/notes/${one.id}`, { as: 'seeding-admin' });
  await service.seed('notes', { title: 'Three' });
  await untilTitles(file, ['Two', 'Three']);
  expect(Object.keys((await Bun.file(file).json()).records).length).toBe(2);
});

test('the script runs in Node', async () => {
  // Node 20 does not run TypeScript.
  const outdir = join(folder, 'node');
  const conditions = ['recto-source'];
  await Bun.build({
    entrypoints: [join(import.meta.dir, 'sync.ts')],
    target: 'node',
    outdir,
    conditions,
    naming: 'sync.mjs',
  });
  const file = join(outdir, 'notes.json');
  await using server = Bun.serve({ port: 0, fetch: (request) => service.app.fetch(request) });
  const changes = watch(outdir);
  const script = Bun.spawn(['node', join(outdir, 'sync.mjs'), 'notes', file], {
    env: { ...process.env, CMS_URL: server.url.href },
    stderr: 'inherit',
  });
  try {
    const ended = script.exited.then((code) => Promise.reject(new Error(`It ended with ${code}.`)));
    const written = (async () => {
      // It may be there before anybody looks for a change.
      if (existsSync(file)) return;
      for await (const _ of changes) if (existsSync(file)) return;
    })();
    await Promise.race([written, ended]);
    ended.catch(() => undefined);
    const { items } = (await service.send('GET /api/v1/cms/notes', {})).json;
    expect(Object.keys((await Bun.file(file).json()).records).toSorted()).toEqual(
      items.map(({ id }: { id: string }) => id).toSorted(),
    );
    script.kill('SIGINT');
    expect(await script.exited).toBe(0);
  } finally {
    script.kill();
  }
});
