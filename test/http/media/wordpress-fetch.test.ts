import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AllowedTarget } from '../../../packages/recto/src/base/net/allowed-target.ts';
import { OutboundTargets } from '../../../packages/recto/src/base/net/outbound-targets.ts';
import { FileStore } from '../../../packages/recto/src/media/file-store.ts';
import { openStorage } from '../../../packages/recto/src/storage/open-storage.ts';
import { fileAt } from '../../../packages/recto/src/transfer/transfer-file.ts';
import { importWordpress } from '../../../packages/recto/src/transfer/wordpress/import-wordpress.ts';
import { TestService } from '../../support/service.ts';
import { wxr, wxrAuthor, wxrItem } from '../../support/wordpress-file.ts';
import { quarters } from './media-calls.ts';

const png = await quarters(20, 10);
const asked: string[] = [];
/** What only the machine of the service reaches. */
const inner = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => {
    asked.push(`inner ${new URL(url).pathname}`);
    return new Response('a secret');
  },
});
const answers: Readonly<Record<string, () => Response>> = {
  '/wp-content/uploads/one.png': () => new Response(png),
  '/wp-content/uploads/moved.png': () => Response.redirect('/wp-content/uploads/one.png'),
  '/wp-content/uploads/inner.png': () => Response.redirect(`http://127.0.0.1:${inner.port}/secret`),
  '/wp-content/uploads/host.png': () => Response.redirect('http://localhost/secret'),
  '/wp-content/uploads/circle.png': () => Response.redirect('/wp-content/uploads/circle.png'),
  '/wp-content/uploads/file.png': () =>
    new Response(null, { status: 302, headers: { Location: 'file:///etc/passwd' } }),
  '/wp-content/uploads/packed.png': () => new Response('x', { headers: { 'Content-Encoding': 'br' } }),
  '/wp-content/uploads/large.png': () => new Response('x'.repeat(1_000_001)),
};
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => {
    asked.push(new URL(url).pathname);
    return answers[new URL(url).pathname]?.() ?? new Response('', { status: 404 });
  },
});

const folder = mkdtempSync(join(tmpdir(), 'recto-fetch-'));
let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
});
afterAll(async () => {
  await Promise.all([site.stop(true), inner.stop(true)]);
  rmSync(folder, { recursive: true });
  await service[Symbol.asyncDispose]();
});

const names = [...Object.keys(answers).map((path) => path.split('/').at(-1)), 'none.png'];
const addressOf = (name: unknown) => `http://127.0.0.1:${site.port}/wp-content/uploads/${name}`;

function importSite(allowed: readonly AllowedTarget[]) {
  const file = join(folder, 'site.xml');
  const attachments = names.map((name, index) =>
    wxrItem({ id: 100 + index, type: 'attachment', title: String(name), attachmentUrl: addressOf(name) }),
  );
  const post = wxrItem({ id: 1, title: 'A post', meta: [['_thumbnail_id', '100']] });
  writeFileSync(file, wxr(wxrAuthor(1, 'ada', 'ada@site.example'), ...attachments, post));
  const { database, types } = service;
  return importWordpress({
    ...{ file: fileAt(file), database, types, workFolder: dirname(database.path), dryRun: false, progress: () => {} },
    passwords: { hash: async (password) => `unusable:${password}` },
    uploads: {
      fetcher: { targets: new OutboundTargets(allowed) },
      storage: openStorage({ kind: 'file', path: join(folder, 'files') }),
      store: new FileStore(database.dialect),
      limits: { maxBytes: 1_000_000, types: [] },
      type: types.get('media'),
    },
  });
}

const filesOf = ({ counts }: Awaited<ReturnType<typeof importSite>>) => counts.find(({ kind }) => kind === 'files');

test('files of a site are fetched from public addresses and what is allowed, and from nowhere else', async () => {
  const refused = await importSite([]);
  expect(filesOf(refused)).toMatchObject({ taken: 0, skipped: names.length });
  expect(asked).toEqual([]);
  const port = Number(site.port);
  const allowed = [{ kind: 'network', address: '127.0.0.1', prefix: 32, port }] as const;
  const report = await importSite(allowed);
  expect(filesOf(report)).toMatchObject({ taken: 2, skipped: names.length - 2 });
  expect(asked.filter((path) => path.startsWith('inner'))).toEqual([]);
  const reasons = JSON.stringify(report);
  for (const reason of ['no public place', 'redirected too often', 'compressed', 'answers 404'])
    expect(reasons).toContain(reason);
  await service.account('boss', 'admin');
  const media = await service.send('GET /api/v1/media', { as: 'boss' });
  expect(media.json.items.map((item: { name: string; width: number }) => [item.name, item.width]).toSorted()).toEqual([
    ['moved.png', 20],
    ['one.png', 20],
  ]);
  // Run twice, it adds nothing and fetches nothing again.
  asked.length = 0;
  expect(filesOf(await importSite(allowed))).toMatchObject({ taken: 0, before: 2 });
  expect(asked).not.toContain('/wp-content/uploads/moved.png');
});
