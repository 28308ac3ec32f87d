// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Types at the edge of what databases take: many fields, the longest names, the longest unique texts.

const long = (start: string): string => `${start}_`.padEnd(50, 'x');
const numbered = (count: number, name: (index: number) => string) => Array.from({ length: count }, (_, at) => name(at));
const as = { as: 'ada' };

async function opened(...definitions: readonly object[]): Promise<TestService> {
  const service = await TestService.open(definitions);
  await service.account('ada', 'admin');
  return service;
}

describe('the longest names', () => {
  const [one, other] = [long('one'), long('two')];
  // They differ in their last letter alone.
  const fields = ['a', 'b', 'c', 'd'].map((end) => long('field').slice(0, -1) + end);
  const [first = '', second = '', third = '', fourth = ''] = fields;
  const relation = (name: string, relation_type: string, target: string) => ({
    name,
    field_type: 'relation',
    relation: { relation_type, target },
  });
  const definition = (singular: string, target: string) => ({
    singular,
    plural: `${singular.slice(0, -1)}s`,
    fields: [
      { name: first, field_type: 'text', unique: true },
      { name: second, field_type: 'text', unique: true },
      relation(third, 'many_to_one', target),
      relation(fourth, 'many_to_many', target),
      relation(`${fourth.slice(0, -1)}e`, 'many_to_many', target),
    ],
  });

  test('of types, fields and relations stay apart', async () => {
    await using service = await opened(definition(one, other), definition(other, one));
    const plural = `${one.slice(0, -1)}s`;
    const { id: target } = await service.seed(`${other.slice(0, -1)}s`, { [first]: 'target' });
    const body = { [first]: 'x', [second]: 'y', [third]: target, [fourth]: [target] };
    const { id } = await service.seed(plural, body);
    await service.seed(plural, { [first]: 'y', [second]: 'x' });
    const again = await service.send(`POST /api/v1/cms/${plural}`, { ...as, body: { [first]: 'z', [second]: 'y' } });
    expect([again.status, again.json.errors]).toEqual([
      422,
      [{ field: second, code: 'taken', message: `Another record has this ${second} already.` }],
    ]);
    const query = `${third}=${target}&${fourth}=${target}&search=x&sort=${first}:desc&include=${third},${fourth}`;
    const { json } = await service.send(`GET /api/v1/cms/${plural}?${query}`);
    expect(json.items).toHaveLength(1);
    expect(json.items[0]).toMatchObject({ id, [first]: 'x', [third]: { id: target }, [fourth]: [{ id: target }] });
    expect(json.items[0][`${fourth.slice(0, -1)}e`]).toEqual([]);
    expect((await service.send(`DELETE /api/v1/admin/cms/${plural}/${id}`, as)).status).toBe(204);
  });
});

describe('many fields', () => {
  const names = numbered(240, (index) => `f${index}`);
  const kinds = ['text', 'integer', 'bigint', 'decimal', 'float', 'boolean', 'date', 'json'];
  const values = ['wörd "\\\n', 12, '9223372036854775807', '-12.5', 0.1, true, '2026-11-21', { b: [1, null], a: 'x' }];
  const fields = names.map((name, index) => ({ name, field_type: kinds[index % kinds.length] }));

  test('are stored, returned, listed, sorted and searched', async () => {
    await using service = await opened({ singular: 'wide', plural: 'wides', fields });
    const body = Object.fromEntries(names.map((name, index) => [name, values[index % kinds.length]]));
    const made = await service.seed('wides', body);
    expect(made).toEqual({ id: expect.any(String), ...body });
    const empty = await service.seed('wides', {});
    expect(empty).toEqual({ id: expect.any(String), ...Object.fromEntries(names.map((name) => [name, null])) });
    const list = await service.send('GET /api/v1/cms/wides?sort=f0:asc,f1:desc,f3:asc');
    expect(list.json.items).toEqual([empty, made]);
    expect((await service.send('GET /api/v1/cms/wides?search=w%C3%B6rd')).json.items).toEqual([made]);
  }, 600_000);

  test('a search lists first what holds the words in an earlier field, of however many', async () => {
    const texts = numbered(70, (index) => `t${index}`);
    const wordy = texts.map((name) => ({ name, field_type: 'text' }));
    await using service = await opened({ singular: 'wide', plural: 'wides', fields: wordy });
    const found = async () => (await service.send('GET /api/v1/cms/wides?search=word')).json.items;
    const places = [69, 40, 33, 5, 68, 0];
    for (const place of places) await service.seed('wides', { [`t${place}`]: 'word' });
    await service.seed('wides', Object.fromEntries(texts.slice(1).map((name) => [name, 'word'])));
    const order = (await found()).map((item: object) => Object.values(item).indexOf('word') - 1);
    expect(order).toEqual([0, 1, 5, 33, 40, 68, 69]);
  }, 600_000);
});

describe('a unique text', () => {
  // Of many different characters, so that it cannot be stored in fewer bytes.
  const bytes = (count: number): string =>
    numbered(count, (index) => String.fromCharCode(33 + ((index * 7919 + ((index * index) % 101)) % 94))).join('');

  test('has at most 2,500 bytes', async () => {
    const fields = [
      { name: 'code', field_type: 'text', unique: true },
      { name: 'text', field_type: 'text' },
    ];
    await using service = await opened({ singular: 'note', plural: 'notes', fields });
    const longest = bytes(2500);
    const send = (body: object) => service.send('POST /api/v1/cms/notes', { ...as, body });
    expect((await send({ code: longest, text: bytes(100_000) })).status).toBe(201);
    expect((await send({ code: longest })).json.errors).toMatchObject([{ field: 'code', code: 'taken' }]);
    expect((await send({ code: `${longest.slice(0, -1)}~` })).status).toBe(201);
    expect((await send({ code: '🙂'.repeat(625) })).status).toBe(201);
    for (const code of [`${longest}!`, 'é'.repeat(1251), 'x'.repeat(3000)]) {
      const { status, json } = await send({ code });
      expect([status, json.errors]).toEqual([
        422,
        [{ field: 'code', code: 'too_long', message: 'Must have at most 2,500 bytes in UTF-8, since it is unique.' }],
      ]);
    }
    const filtered = await service.send(`GET /api/v1/cms/notes?code=${encodeURIComponent(longest)}`);
    expect(filtered.json.total).toBe(1);
  });
});
