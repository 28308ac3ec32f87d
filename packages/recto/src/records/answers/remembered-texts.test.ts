// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../../../../../test/support/service.ts';
import { textCache } from '../../base/cache.ts';

test('what is remembered is bounded in number and in characters, and what was asked for last stays', () => {
  const memo = textCache<{ readonly text: string }>({ entries: 100, characters: 100_000 }, ({ text }) => text.length);
  for (let key = 0; key < 1_000; key += 1) memo.set(String(key), { text: 'short' });
  expect(memo.stats.entries).toBe(100);
  expect(memo.get('899')).toBeUndefined();
  expect(memo.get('900')).toEqual({ text: 'short' });
  for (let key = 0; key < 50; key += 1) memo.set(`long ${key}`, { text: 'x'.repeat(10_000) });
  expect(memo.stats.characters).toBeLessThanOrEqual(100_000);
  expect(memo.get('long 49')).toBeDefined();
  memo.set('longer than all', { text: 'x'.repeat(200_000) });
  expect(memo.get('longer than all')).toBeUndefined();
});

test('whatever callers send, the texts that are remembered of it are some megabytes', async () => {
  const fields = Array.from({ length: 12 }, (_, number) => ({ name: `text_${number}`, field_type: 'text' }));
  await using service = await TestService.open([{ singular: 'note', plural: 'notes', fields }]);
  const made = await service.seed('notes', { text_0: 'a' });
  const long = 'x'.repeat(7_000);
  for (let number = 0; number < 700; number += 1) {
    const filters = fields
      .slice(2)
      .filter((_, place) => ((number >> place) & 1) === 1)
      .map(({ name }) => `${name}=b`);
    const chosen = [`text_1=${long}${number}`, `sort=text_${number % 12}:desc`, ...filters];
    expect((await service.send(`GET /api/v1/cms/notes?${chosen.join('&')}`)).status).toBe(200);
    expect((await service.send(`GET /api/v1/cms/notes?search=word${number}`)).status).toBe(200);
    expect((await service.send(`GET /api/v1/cms/notes/${made.id}?include=${number}`)).status).toBe(400);
  }
  const { plans, lists, totals, gets } = service.records.stats;
  const characters = [plans, lists, totals, gets].reduce((sum, { characters }) => sum + characters, 0);
  expect(characters).toBeLessThan(20_000_000);
  expect(totals.characters).toBeLessThanOrEqual(4_000_000);
  expect(totals.entries).toBeGreaterThan(100);
  expect(gets.entries).toBe(0);
}, 600_000);
