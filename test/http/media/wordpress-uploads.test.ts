import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileStore } from '../../../packages/recto/src/media/file-store.ts';
import { DiskStorage } from '../../../packages/recto/src/storage/disk-storage.ts';
import { fileAt } from '../../../packages/recto/src/transfer/transfer-file.ts';
import { importWordpress } from '../../../packages/recto/src/transfer/wordpress/import-wordpress.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { wxr, wxrItem } from '../../support/wordpress-file.ts';
import { getBytes, quarters } from './media-calls.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-uploads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = 'https://site.example/wp-content/uploads';

test('files of a WordPress site come along, once', async () => {
  const storage = new DiskStorage(join(folder, 'media'));
  await using service = await TestService.open([], {
    builtIn: true,
    storage: { kind: 'file', path: join(folder, 'media') },
  });
  await service.account('ada', 'admin');
  const uploads = join(folder, 'uploads');
  mkdirSync(join(uploads, '2013/03'), { recursive: true });
  const storm = await quarters(60, 30);
  writeFileSync(join(uploads, '2013/03/storm.png'), storm);
  writeFileSync(join(uploads, '2013/03/terms.pdf'), '%PDF-1.7\n');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  const file = join(folder, 'site.xml');
  const attachment = (id: number, path: string, alt = '') =>
    wxrItem({
      ...{ id, type: 'attachment', status: 'inherit', title: `File ${id}`, excerpt: 'A caption', attachmentUrl: path },
      meta: [['_wp_attachment_image_alt', alt]],
    });
  const content = [
    `<img src="${site}/2013/03/storm-300x150.png">`,
    `<a href="${site.replace('https', 'http')}/2013/03/terms.pdf?x=1">terms</a>`,
    '[gallery ids="7,99" columns="2"]',
    `<img src="https://other.example/wp-content/uploads/2013/03/storm.png">`,
    `<img src="${site}/2013/03/gone.png">`,
  ].join('\n');
  writeFileSync(
    file,
    wxr(
      attachment(7, `${site}/2013/03/storm.png`, 'A "storm"'),
      attachment(8, `${site}/2013/03/terms.pdf`),
      attachment(9, `${site}/2013/03/gone.png`),
      attachment(10, `${site}/../../secret.txt`),
      attachment(11, `${site}/%2e%2e/secret.txt`),
      wxrItem({ id: 1, title: 'Storm', status: 'publish', content, meta: [['_thumbnail_id', '7']] }),
    ),
  );
  const run = () =>
    importWordpress({
      ...{ file: fileAt(file), dryRun: false, progress: () => {}, database: service.database, types: service.types },
      passwords: { hash: async (password) => password },
      workFolder: dirname(service.database.path),
      uploads: {
        ...{ folder: uploads, storage, store: new FileStore(service.database.dialect) },
        ...{ limits: { maxBytes: 1_000_000, types: [] }, type: service.types.get('media') },
      },
    });
  const countsOf = async () => {
    const { counts } = await run();
    return Object.fromEntries(counts.map(({ kind, taken, before, skipped }) => [kind, [taken, before, skipped]]));
  };
  expect(await countsOf()).toMatchObject({ files: [2, 0, 3], posts: [1, 0, 0] });

  const { items } = (await service.send('GET /api/v1/media?sort=name:asc', { as: 'ada' })).json;
  expect(items.map((item: Reply['json']) => [item.name, item.mime_type, item.alt, item.caption, item.width])).toEqual([
    ['storm.png', 'image/png', 'A "storm"', 'A caption', 60],
    ['terms.pdf', 'application/pdf', null, 'A caption', null],
  ]);
  const [image, terms] = items;
  expect((await getBytes(service, image.url)).bytes).toEqual(new Uint8Array(storm));
  const found = (await service.send('GET /api/v1/posts')).json.items[0];
  expect(found.cover_image).toMatchObject({ id: image.id, alt: 'A "storm"' });
  const escaped = image.url.replaceAll('&', '&amp;');
  expect(found.content).toContain(`<img src="${escaped}" />`);
  expect(found.content).toContain(`href="${terms.url}"`);
  expect(found.content).toContain(`<figure><img src="${escaped}" alt="A &quot;storm&quot;" /></figure>`);
  expect(found.content).toContain('https://other.example/wp-content/uploads/2013/03/storm.png');
  expect(found.content).toContain(`${site}/2013/03/gone.png`);

  const keys = await service.storedKeys();
  expect(await countsOf()).toMatchObject({ files: [0, 2, 3], posts: [0, 1, 0] });
  expect(await service.storedKeys()).toEqual(keys);
  expect((await service.send('GET /api/v1/media', { as: 'ada' })).json.total).toBe(2);
});
