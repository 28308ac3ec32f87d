// databases: sqlite, postgres:rest
import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { createReader, filterText } from '../index.ts';
import { failure, serviceOfFile, url } from './service.fixture.ts';

const { admin, through } = serviceOfFile();

// Without a record, no filter would differ from none.
beforeAll(async () => {
  await (await admin()).collection('topics').create({ name: 'Unfiltered' });
});

describe('the text of a filter', () => {
  const examples: readonly (readonly [string | object, string])[] = [
    ['views > 5', 'views > 5'],
    [{ views: { gt: 5 } }, '{"views":{"gt":5}}'],
    [{ status: 'a "quoted" \\ word', slug: null }, '{"status":"a \\"quoted\\" \\\\ word","slug":null}'],
    [{ at: { lt: new Date(0) } }, '{"at":{"lt":"1970-01-01T00:00:00.000Z"}}'],
    [{ views: { notIn: [1, 2n] }, big: 2n ** 53n + 1n }, '{"views":{"notIn":[1,2]},"big":"9007199254740993"}'],
    [{ a: undefined, b: { c: undefined } }, '{"b":{}}'],
  ];
  test.each(examples)('of %p', (filter, text) => expect(filterText(filter)).toBe(text));

  test.each([
    { a: Number.NaN },
    { a: { lt: Number.POSITIVE_INFINITY } },
    { a: () => 1 },
    { a: [Symbol('x')] },
    { $or: [{ a: new Date(Number.NaN) }] },
  ])('of %p is an error', (filter) => {
    expect(() => filterText(filter)).toThrow(TypeError);
  });

  test.each([
    { $or: [] },
    { $or: [{}] },
    { name: [{}] },
    { name: { gt: {} } },
    { name: [undefined] },
    { 'true || name': 'x' },
  ])('of %p is one that the service refuses', async (filter) => {
    const listed = createReader({ url, fetch: through }).topics?.list({ filter });
    expect(await failure(Promise.resolve(listed))).toMatchObject({ status: 400, code: 'invalid_filter' });
  });

  test('without a condition is none', async () => {
    const { topics } = createReader({ url, fetch: through });
    const all = await topics?.list();
    expect(await topics?.list({ filter: { name: undefined } })).toEqual(all);
    expect(await topics?.list({ filter: { best: { title: undefined } } })).toEqual(all);
    expect(await topics?.list({ filter: '' })).toEqual(all);
  });

  test('selects the records of a batch, and none without a condition', async () => {
    const { topics } = (await admin()).admin;
    for (const name of ['Batch one', 'Batch two']) await topics?.create({ name });
    const filter = { name: { like: 'Batch%' } };
    expect(await topics?.batch({ action: 'update', filter, set: { description: 'Both' } })).toMatchObject({
      affected: 2,
    });
    expect((await topics?.list({ filter: { description: 'Both' } }))?.total).toBe(2);
    for (const empty of [{ name: undefined }, { name: {} }]) {
      const error = await failure(Promise.resolve(topics?.batch({ action: 'delete', filter: empty })));
      expect(error.code).toBe('invalid_filter');
    }
  });

  test('finds exactly the record whose value was written, whatever the value', async () => {
    const recto = await admin();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (name) => {
        const made = await recto
          .collection('topics')
          .create({ name })
          .catch(() => undefined);
        if (made === undefined) return;
        const both = { $and: [{ name }, { id: { in: [made.id] } }] };
        const found = await recto.collection('topics').list({ filter: both });
        expect(found.items.map(({ id }) => id)).toEqual([made.id]);
        expect((await recto.collection('topics').list({ filter: { id: made.id, name: { ne: name } } })).total).toBe(0);
      }),
      { numRuns: randomCases(60) },
    );
  });
});
