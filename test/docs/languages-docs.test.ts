import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../packages/recto/src/config/settings.ts';
import { answerTo, readDocument } from '../support/documents.ts';
import { TestService } from '../support/service.ts';

// The examples of docs/languages.md: its settings, its type and its requests, one after another.

const { blocks } = readDocument('docs/languages.md');
const block = (info: string): string => {
  const found = blocks.find((each) => each.info.includes(info));
  if (found === undefined) throw new Error(`docs/languages.md has no block "${info}".`);
  return found.text;
};

function settings() {
  const folder = mkdtempSync(join(tmpdir(), 'recto-languages-'));
  try {
    const file = join(folder, 'recto.toml');
    writeFileSync(file, block('settings'));
    const { languages, languageFallbacks, languageUrls } = readSettings({}, file);
    return { languages, languageFallbacks, languageUrls };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the settings, in the file and as variables', () => {
  const { languages, languageFallbacks, languageUrls } = readSettings({
    RECTO_LANGUAGES: 'en,de,fr,fr-CA',
    RECTO_LANGUAGE_FALLBACKS: '{"fr-CA":["fr","en"]}',
    RECTO_LANGUAGE_URLS: '{"en":"https://example.com","de":"https://example.com/de"}',
  });
  expect(settings()).toEqual({ languages, languageFallbacks, languageUrls });
});

test('the requests', async () => {
  await using service = await TestService.open([Bun.TOML.parse(block('type'))], { settings: settings() });
  await service.account('ann', 'admin');
  const { id } = await service.seed('articles', { title: 'Hello', slug: 'hello', points: 3 });
  const translate = { as: 'ann', body: { title: 'Hallo' } };
  expect((await service.send(`PUT /api/v1/admin/cms/articles/${id}?language=de`, translate)).status).toBe(200);
  const requests = blocks.filter(({ info }) => info.includes('request'));
  expect(requests.length).toBeGreaterThan(1);
  for (const request of requests) {
    const [line = '', body] = request.text.trim().split('\n\n');
    const sent = { as: 'ann', ...(body === undefined ? {} : { body: JSON.parse(body) }) };
    const { status, json } = await service.send(line.replace('{id}', id), sent);
    const answer = answerTo(blocks, request, 'json')?.text ?? '';
    expect([request.place, status, json]).toEqual([request.place, 200, expect.objectContaining(JSON.parse(answer))]);
  }
  const removed = await service.send(`DELETE /api/v1/admin/cms/articles/${id}/languages/de`, { as: 'ann' });
  expect(removed.status).toBe(204);
});
