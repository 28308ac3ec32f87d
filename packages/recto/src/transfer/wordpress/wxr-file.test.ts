import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wxr, wxrItem } from '../../../../../test/support/wordpress-file.ts';
import { noProgress } from '../progress.ts';
import { fileAt } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import type { WxrItem, WxrSink } from './wxr-entry.ts';
import { readWxrFile } from './wxr-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-wxr-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Uint8Array) {
  const file = join(folder, 'site.xml');
  writeFileSync(file, content);
  const titles: string[] = [];
  const sink: WxrSink = {
    site: () => {},
    author: () => {},
    category: () => {},
    term: () => {},
    comment: () => {},
    item: (_, { title }: WxrItem) => void titles.push(title),
    wantsMeta: () => false,
    wantsTermMeta: () => false,
  };
  const { dropped } = await readWxrFile(fileAt(file), sink, noProgress);
  return { titles, dropped };
}

const site = wxr(wxrItem({ id: 1, title: 'Ærø ☃' }));

test('a byte order mark is no text', async () => {
  expect(await read(`\uFEFF${site}`)).toEqual({ titles: ['Ærø ☃'], dropped: 0 });
});

test('characters that XML does not have are dropped and counted', async () => {
  expect(await read(site.replace('Ærø', 'Æ\u0000r\u0008\u001Fø\uFFFE'))).toEqual({ titles: ['Ærø ☃'], dropped: 4 });
});

test('line ends and tabs are kept apart from those', async () => {
  expect(await read(site.replace('Ærø', 'Æ\tr\r\nø'))).toEqual({ titles: ['Æ\tr\nø ☃'], dropped: 0 });
});

test('reports progress up to completion', async () => {
  const file = join(folder, 'long.xml');
  const text = wxr(...Array.from({ length: 2000 }, (_, id) => wxrItem({ id, content: 'x'.repeat(1000) })));
  writeFileSync(file, text);
  const progress: number[] = [];
  const sink: WxrSink = {
    site: () => {},
    author: () => {},
    category: () => {},
    term: () => {},
    comment: () => {},
    item: () => {},
    wantsMeta: () => true,
    wantsTermMeta: () => true,
  };
  await readWxrFile(fileAt(file), sink, (_, done, total) => void progress.push(done / total));
  expect(progress.length).toBeGreaterThan(1);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
});

const bytes = new TextEncoder().encode(site);
const snowman = site.indexOf('☃') + 2;
const refused: readonly [name: string, content: string | Uint8Array, says: string][] = [
  ['an empty file', '', 'site.xml is empty.'],
  ['a gzip archive', Bun.gzipSync(bytes), 'compressed (gzip): unpack it first'],
  ['a ZIP archive', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), 'a ZIP archive: unpack it first'],
  ['UTF-16', Buffer.from(`\uFEFF${site}`, 'utf16le'), 'written in UTF-16'],
  [
    'bytes that are no UTF-8',
    Buffer.concat([bytes.slice(0, snowman), Buffer.from([0xff, 0xc3]), bytes.slice(snowman)]),
    'bytes that are no UTF-8',
  ],
  ['a character cut in two at the end', Buffer.concat([bytes, Buffer.from([0xc3])]), 'bytes that are no UTF-8'],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'no UTF-8'],
];
test.each(refused)('%s is rejected', async (_name, content, says) => {
  const refusal = await read(content).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TransferRefused);
  expect(String(refusal)).toContain(says);
});

test.each([
  [join(folder, 'none.xml'), 'There is no file'],
  [folder, 'is no file'],
])('%s is rejected', async (file, says) => {
  const sink: WxrSink = {
    site: () => {},
    author: () => {},
    category: () => {},
    term: () => {},
    comment: () => {},
    item: () => {},
    wantsMeta: () => true,
    wantsTermMeta: () => true,
  };
  const reading = async () => readWxrFile(fileAt(file), sink, noProgress);
  await expect(reading()).rejects.toThrow(says);
});
