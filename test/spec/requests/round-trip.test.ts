// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fieldTypeNames } from '../../../packages/recto/src/definition/fields/index.ts';
import { sanitizedHtml } from '../../../packages/recto/src/definition/fields/sanitized-html.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Every field type: what is sent is read back in its canonical form, put back whole, and found by its value; what cannot be
// of the type is rejected, field by field, all at once.

const values = ['low', 'High', 'ünï code'];
const relation = (name: string, relation_type: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target: 'tags' },
});
const structured: readonly string[] = ['group', 'list', 'blocks'];
const scalars = fieldTypeNames.filter((name) => name !== 'enum' && name !== 'relation' && !structured.includes(name));
const open = { access: 'public' };
const api = { create: open, update: open };
/** The same fields inside others. */
const inside = [
  ...scalars.filter((name) => name !== 'password').map((name) => ({ name, field_type: name })),
  { name: 'enum', field_type: 'enum', enum_values: values },
  relation('one', 'many_to_one'),
];
const everything = {
  singular: 'record',
  plural: 'records',
  protocols: ['metaable'],
  fields: [
    ...scalars.map((name) => ({ name, field_type: name })),
    { name: 'enum', field_type: 'enum', enum_values: values },
    relation('one', 'many_to_one'),
    relation('many', 'many_to_many'),
    { name: 'group', field_type: 'group', fields: inside },
    { name: 'list', field_type: 'list', fields: inside },
    { name: 'blocks', field_type: 'blocks', blocks: [{ name: 'part', fields: inside }, { name: 'rule' }] },
  ],
  api,
};
const strict = {
  singular: 'strict',
  plural: 'stricts',
  fields: [
    { name: 'text', field_type: 'text', min_length: 2, max_length: 5, pattern: '^[a-zé\\p{Emoji}]*$' },
    { name: 'richtext', field_type: 'richtext', max_length: 3 },
    { name: 'integer', field_type: 'integer', min: -5, max: 5 },
    { name: 'bigint', field_type: 'bigint', min: '-9007199254740993', max: '9007199254740993' },
    { name: 'decimal', field_type: 'decimal', min: '-0.5', max: '10.05' },
    { name: 'float', field_type: 'float', min: -1.5, max: 1.5 },
    { name: 'boolean', field_type: 'boolean' },
    { name: 'date', field_type: 'date', min: '2000-01-01', max: '2026-12-31' },
    { name: 'datetime', field_type: 'datetime', min: '2000-01-01T00:00:00Z', max: '2026-12-31T23:59:59.999Z' },
    { name: 'time', field_type: 'time', min: '08:00', max: '18:00' },
    { name: 'email', field_type: 'email', max_length: 30 },
    { name: 'password', field_type: 'password', min_length: 10, max_length: 20 },
    { name: 'enum', field_type: 'enum', enum_values: values },
    { name: 'uid', field_type: 'uid', max_length: 10 },
    { name: 'json', field_type: 'json' },
    { name: 'media', field_type: 'media', max_length: 30 },
    relation('one', 'many_to_one'),
    relation('many', 'many_to_many'),
  ],
  api,
};
const required = {
  singular: 'needy',
  plural: 'needies',
  fields: strict.fields.map((field) => ({ ...field, required: true })),
  api,
};
const tag = { singular: 'tag', plural: 'tags', fields: [{ name: 'name', field_type: 'text' }] };

let service: TestService;
const tags: string[] = [];
beforeAll(async () => {
  service = await TestService.open([everything, strict, required, tag]);
  for (let count = 0; count < 4; count += 1) tags.push((await service.seed('tags', {})).id);
});
afterAll(() => service[Symbol.asyncDispose]());

/** A value as it is sent, and as it must be returned. */
interface Sample {
  readonly sent: unknown;
  readonly shown: unknown;
}
const same = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<Sample> =>
  arbitrary.map((sent) => ({ sent, shown: sent }));

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom(
    '',
    ' ',
    '"',
    "'",
    '\\',
    '%',
    '<b>&amp;</b>',
    'null',
    '1',
    '\u2028',
    '\u{10ffff}',
    '👩‍🚀',
    'x'.repeat(10_000),
  ),
);
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const zeros = fc.string({ unit: fc.constant('0'), maxLength: 3 });
const decimal = fc
  .record({ minus: fc.boolean(), before: digits(1, 40), after: fc.option(digits(1, 30)), zeros })
  .map(({ minus, before, after, zeros: more }): Sample => {
    const whole = before.replace(/^0+(?=\d)/, '');
    const rest = (after ?? '').replace(/0+$/, '');
    const shown = `${whole}${rest === '' ? '' : `.${rest}`}`;
    const sent = `${minus ? '-' : ''}${more}${before}${after === null ? '' : `.${after}${more}`}`;
    return { sent, shown: minus && shown !== '0' ? `-${shown}` : shown };
  });
const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9998-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const two = (number: number) => String(number).padStart(2, '0');
const datetime = fc
  .record({ instant, minutes: fc.integer({ min: -1439, max: 1439 }), finer: digits(0, 4), letters: fc.boolean() })
  .map(({ instant: at, minutes, finer, letters }): Sample => {
    const shown = at.toISOString();
    const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
    const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
    const sent = `${local}${finer}${minutes === 0 ? 'Z' : offset}`;
    return { sent: letters ? sent.toLowerCase() : sent, shown };
  });
const time = fc
  .record({
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    second: fc.option(fc.integer({ min: 0, max: 59 })),
    fraction: fc.option(digits(1, 6)),
  })
  .map(({ hour, minute, second, fraction }): Sample => {
    const start = `${two(hour)}:${two(minute)}`;
    const milliseconds = (fraction ?? '').slice(0, 3).padEnd(3, '0');
    if (second === null) return { sent: start, shown: `${start}:00` };
    const whole = `${start}:${two(second)}`;
    return {
      sent: fraction === null ? whole : `${whole}.${fraction}`,
      shown: milliseconds === '000' ? whole : `${whole}.${milliseconds}`,
    };
  });
const small = '[a-z0-9]{1,12}';
const json = fc
  .jsonValue({ stringUnit: 'grapheme', maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')));
const oneTag = fc.integer({ min: 0, max: 3 });

const plain: Readonly<Record<string, fc.Arbitrary<Sample>>> = {
  text: same(anyText),
  richtext: anyText.map((text): Sample => ({ sent: text, shown: sanitizedHtml(text) ?? '' })),
  integer: same(fc.oneof(fc.maxSafeInteger(), fc.integer())),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(
    (value): Sample => ({
      sent: Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
      shown: String(value),
    }),
  ),
  decimal,
  float: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value): Sample => ({ sent: value, shown: value + 0 })),
  boolean: same(fc.boolean()),
  date: same(instant.map((at) => at.toISOString().slice(0, 10))),
  datetime,
  time,
  email: same(fc.stringMatching(new RegExp(`^${small}([.+]${small})?@${small}\\.[a-z]{2,5}$`))),
  enum: same(fc.constantFrom(...values)),
  uid: same(fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}$/)),
  json: same(json),
  media: same(
    fc.oneof(
      fc.stringMatching(/^\/[a-z0-9]{1,9}(\/[a-z0-9.]{1,9}){0,3}$/),
      fc.webUrl().filter((url) => !/[\\\s]/.test(url)),
    ),
  ),
  one: oneTag.map((at): Sample => ({ sent: at, shown: at })),
  many: fc.uniqueArray(oneTag).map((some): Sample => ({ sent: some, shown: some })),
  __meta: same(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), json, { noNullPrototype: true })),
};

const nothingInside = Object.fromEntries(inside.map(({ name }) => [name, null]));

/** An object with some of the fields inside, and what is shown of it: all of them. */
const members = fc
  .record(
    Object.fromEntries(inside.map(({ name }) => [name, plain[name] ?? fc.constant({ sent: null, shown: null })])),
    {
      requiredKeys: [],
    },
  )
  .map((some): Sample => {
    const part = (side: keyof Sample) =>
      Object.fromEntries(Object.entries(some).flatMap(([name, one]) => (one === undefined ? [] : [[name, one[side]]])));
    return { sent: part('sent'), shown: { ...nothingInside, ...part('shown') } };
  });

const block = fc.tuple(members, fc.uuid(), fc.boolean()).map(([{ sent, shown }, id, isPart]): Sample => {
  const tag = isPart ? { block: 'part', id } : { block: 'rule', id };
  return { sent: { ...tag, ...(isPart ? Object(sent) : {}) }, shown: { ...tag, ...(isPart ? Object(shown) : {}) } };
});

const several = (item: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .array(item, { maxLength: 3 })
    .map((items) => ({ sent: items.map(({ sent }) => sent), shown: items.map(({ shown }) => shown) }));

const samples: Readonly<Record<string, fc.Arbitrary<Sample>>> = {
  ...plain,
  group: members,
  list: several(members),
  blocks: several(block),
};

/** Numbers of tags to their ids, which are known only when the service runs. */
const withTags = (name: string, value: unknown): unknown => {
  if (structured.includes(name)) return withInnerTags(value);
  if (name === 'one') return tags[Number(value)];
  return name === 'many' && Array.isArray(value) ? value.map((at) => tags[at]) : value;
};

/** The same inside a value. */
const withInnerTags = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withInnerTags);
  const own = Object(value);
  return typeof own.one === 'number' ? { ...own, one: tags[own.one] } : value;
};

const record = fc.record(samples, { requiredKeys: [] });
const path = '/api/v1/cms/records';
let count = 0;

/** Creates the record, then holds what is returned, and what finds it, against the samples. */
async function roundTrip(sample: Readonly<Partial<Record<string, Sample>>>): Promise<void> {
  count += 1;
  const entries = Object.entries(sample).flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const]));
  // Slugs are unique, so that each needs one of its own.
  const own = (name: string, value: unknown) => (name === 'uid' ? `${value}-x${count}` : withTags(name, value));
  const sent = Object.fromEntries(entries.map(([name, value]) => [name, own(name, value.sent)]));
  const shown = Object.fromEntries(entries.map(([name, value]) => [name, own(name, value.shown)]));
  const made = await service.send(`POST ${path}`, { body: sent });
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  const { id } = made.json;
  const nothing = Object.fromEntries(
    everything.fields.filter(({ name }) => name !== 'password').map(({ name }) => [name, null]),
  );
  const expected = { id, ...nothing, many: [], __meta: {}, ...shown };
  expect(made.json).toEqual(expected);
  const read = await service.send(`GET ${path}/${id}`);
  expect(read.json).toEqual(expected);
  const back = await service.send(`PUT ${path}/${id}`, { body: read.text });
  expect([back.status, back.text, back.headers.get('etag')]).toEqual([200, read.text, read.headers.get('etag')]);
  for (const [name] of entries) {
    if (['json', '__meta', 'many', ...structured].includes(name)) continue;
    // Rich text is stored without what could harm, and found by what is stored.
    for (const value of name === 'richtext' ? [shown[name]] : [shown[name], sent[name]]) {
      const query = new URLSearchParams({ [name]: String(value), id });
      const found = await service.send(`GET ${path}?${query}`);
      expect([name, value, found.json.total]).toEqual([name, value, 1]);
    }
  }
  for (const tagId of Array.isArray(shown.many) ? shown.many : []) {
    expect((await service.send(`GET ${path}?many=${tagId}&id=${id}`)).json.total).toBe(1);
  }
}

describe('a value that is sent is read back in its canonical form, put back unchanged, and found by it', () => {
  test.each(Object.keys(samples))('%s', async (name) => {
    const sample = samples[name] ?? fc.constant({ sent: null, shown: null });
    await fc.assert(
      fc.asyncProperty(sample, (one) => roundTrip({ [name]: one })),
      { numRuns: randomCases(15) },
    );
  });
  test('all of them at once', async () => {
    await fc.assert(fc.asyncProperty(record, roundTrip), { numRuns: randomCases(30) });
  });
  test('the samples are of every field type but password, which is never returned', () => {
    const named = Object.keys(samples).filter((name) => name !== '__meta' && name !== 'one' && name !== 'many');
    expect([...named, 'password', 'relation'].sort()).toEqual([...fieldTypeNames].sort());
  });
});

test.each(['', 'x', 0, false, '0'])('%p is not nothing', async (value) => {
  const { json: made } = await service.send(`POST ${path}`, { body: { json: value } });
  expect(made.json).toBe(value);
});

test('null takes a value away', async () => {
  const body = { text: 'x', integer: 1, json: { a: 1 }, one: tags[0], many: tags };
  const { json: made } = await service.send(`POST ${path}`, { body });
  const nulls = Object.fromEntries(Object.keys(body).map((name) => [name, null]));
  const { json: left } = await service.send(`PUT ${path}/${made.id}`, { body: nulls });
  expect(left).toMatchObject({ ...nulls, many: [] });
});

const none = '01900000-0000-7000-8000-000000000000';
/** Values that each field of the strict type must reject, and the code of the error. */
const refused: Readonly<Record<string, readonly (readonly [value: unknown, code: string, place?: string])[]>> = {
  text: [
    [1, 'wrong_type'],
    [true, 'wrong_type'],
    [['a'], 'wrong_type'],
    [{}, 'wrong_type'],
    ['abcdef', 'too_long'],
    ['ééé🙂🙂🙂', 'too_long'],
    ['a', 'too_short'],
    ['🙂', 'too_short'],
    ['aBc', 'bad_format'],
  ],
  richtext: [
    [1, 'wrong_type'],
    ['abcd', 'too_long'],
    ['a\0', 'invalid_text'],
    ['\ud800', 'invalid_text'],
  ],
  integer: [
    ['1', 'wrong_type'],
    [1.5, 'wrong_type'],
    [true, 'wrong_type'],
    [[], 'wrong_type'],
    [-6, 'too_small'],
    [6, 'too_large'],
    [2 ** 53, 'too_large'],
  ],
  bigint: [
    ['x', 'bad_format'],
    ['1.0', 'bad_format'],
    ['', 'bad_format'],
    [1.5, 'wrong_type'],
    [true, 'wrong_type'],
    ['-9007199254740994', 'too_small'],
    ['9007199254740994', 'too_large'],
    ['9223372036854775808', 'wrong_type'],
  ],
  decimal: [
    [1, 'wrong_type'],
    ['1e3', 'bad_format'],
    ['.5', 'bad_format'],
    ['+1', 'bad_format'],
    ['1,5', 'bad_format'],
    ['-0.51', 'too_small'],
    ['10.050000000000000000000000000000001', 'too_large'],
  ],
  float: [
    ['1', 'wrong_type'],
    [true, 'wrong_type'],
    [-1.6, 'too_small'],
    [1.5000001, 'too_large'],
  ],
  boolean: [
    ['true', 'wrong_type'],
    [1, 'wrong_type'],
    [0, 'wrong_type'],
  ],
  date: [
    [20260101, 'wrong_type'],
    ['2026-02-30', 'bad_format'],
    ['2026-2-3', 'bad_format'],
    ['2026-01-01T00:00:00Z', 'bad_format'],
    ['1999-12-31', 'too_small'],
    ['2027-01-01', 'too_large'],
  ],
  datetime: [
    [0, 'wrong_type'],
    ['2026-01-01', 'bad_format'],
    ['2026-01-01T00:00:00', 'bad_format'],
    ['2026-01-01T24:00:00Z', 'bad_format'],
    ['1999-12-31T23:59:59.999Z', 'too_small'],
    ['2026-12-31T23:59:59-00:01', 'too_large'],
  ],
  time: [
    [10, 'wrong_type'],
    ['24:00', 'bad_format'],
    ['1:00', 'bad_format'],
    ['10:00Z', 'bad_format'],
    ['07:59:59.999', 'too_small'],
    ['18:00:00.001', 'too_large'],
  ],
  email: [
    [1, 'wrong_type'],
    ['x', 'bad_format'],
    ['a@b', 'bad_format'],
    ['a b@example.org', 'bad_format'],
    [`${'a'.repeat(20)}@example.org`, 'too_long'],
  ],
  password: [
    [1234567890, 'wrong_type'],
    ['short', 'too_short'],
    ['x'.repeat(21), 'too_long'],
  ],
  enum: [
    ['LOW', 'not_allowed'],
    ['', 'not_allowed'],
    [0, 'wrong_type'],
    [['low'], 'wrong_type'],
  ],
  uid: [
    [1, 'wrong_type'],
    ['Upper', 'bad_format'],
    ['a--b', 'bad_format'],
    ['-a', 'bad_format'],
    ['ä', 'bad_format'],
    ['', 'bad_format'],
    ['abcdefghijk', 'too_long'],
  ],
  json: [[{ a: ['\0'] }, 'invalid_text']],
  media: [
    [1, 'wrong_type'],
    ['x.png', 'bad_format'],
    ['javascript:alert(1)', 'bad_format'],
    ['//other.example/x', 'bad_format'],
    ['https://exa mple.org/', 'bad_format'],
    [`/${'x'.repeat(30)}`, 'too_long'],
  ],
  one: [
    [1, 'wrong_type'],
    ['x', 'bad_format'],
    [none.toUpperCase().replace('0000-7', 'ABCD-7'), 'bad_format'],
    [[none], 'wrong_type'],
    [none, 'unknown_record'],
  ],
  many: [
    [none, 'wrong_type'],
    [[none, none], 'invalid'],
    [['x'], 'bad_format', 'many[0]'],
    [[none, 1], 'wrong_type', 'many[1]'],
    [[none], 'unknown_record', 'many[0]'],
  ],
};

const faultsOf = ({ status, json: body }: Reply) => [
  status,
  ...(body.errors ?? []).map((fault: Record<string, string>) => `${fault.field} ${fault.code}`),
];

describe.each(Object.entries(refused))('%s rejects', (name, rows) => {
  test.each(rows.map(([value, code, place]) => [JSON.stringify(value), code, value, place ?? name] as const))(
    '%s: %s',
    async (_, code, value, place) => {
      for (const line of [
        'POST /api/v1/cms/stricts',
        `PUT /api/v1/cms/stricts/${(await service.seed('stricts', {})).id}`,
      ]) {
        expect(faultsOf(await service.send(line, { body: { [name]: value } }))).toEqual([422, `${place} ${code}`]);
      }
    },
  );
});

test('every error is reported at once, one per field', async () => {
  const first = Object.entries(refused).map(([name, [row]]) => [name, row] as const);
  const body = { bogus: 1, ...Object.fromEntries(first.map(([name, row]) => [name, row?.[0]])) };
  const { json: problem } = await service.send('POST /api/v1/cms/stricts', { body });
  const expected = ['bogus unknown_field', ...first.map(([name, row]) => `${name} ${row?.[1]}`)];
  expect(problem.errors.map((fault: Record<string, string>) => `${fault.field} ${fault.code}`).sort()).toEqual(
    expected.sort(),
  );
  expect(problem.detail).toBe(`${expected.length} fields are not valid.`);
});

test('what is required is reported for every field at once, left out or null', async () => {
  const names = required.fields.map(({ name }) => name);
  const expected = names.map((name) => `${name} required`).sort();
  for (const body of [{}, Object.fromEntries(names.map((name) => [name, null]))]) {
    const [status, ...faults] = faultsOf(await service.send('POST /api/v1/cms/needies', { body }));
    expect([status, faults.sort()]).toEqual([422, expected]);
  }
});

test('bounds are inclusive, lengths count characters as readers do not: code points', async () => {
  const bounds: readonly Readonly<Record<string, unknown>>[] = [
    {
      text: 'éé',
      integer: -5,
      bigint: '-9007199254740993',
      decimal: '-0.50',
      float: -1.5,
      date: '2000-01-01',
      time: '08:00',
    },
    {
      text: '🙂🙂🙂🙂🙂',
      integer: 5,
      bigint: '9007199254740993',
      decimal: '10.05',
      float: 1.5,
      date: '2026-12-31',
      time: '18:00',
    },
    { datetime: '2000-01-01T00:00:00Z', uid: 'abcdefghij', password: 'x'.repeat(10) },
    { datetime: '2027-01-01T01:59:59.999+02:00', uid: 'a', media: `/${'x'.repeat(29)}` },
  ];
  for (const body of bounds) expect(faultsOf(await service.send('POST /api/v1/cms/stricts', { body }))).toEqual([201]);
});

test('numbers that JSON can write and no double can hold are rejected or rounded as JSON.parse does, never stored wrong', async () => {
  const send = (body: string) => service.send(`POST ${path}`, { body });
  expect(faultsOf(await send('{"float": 1e999}'))[0]).toBe(422);
  expect(faultsOf(await send('{"integer": 9007199254740993}'))[0]).toBe(422);
  expect(faultsOf(await send('{"bigint": 9007199254740993}'))[0]).toBe(422);
  expect((await send('{"integer": 1.0, "float": -0.0}')).json).toMatchObject({ integer: 1, float: 0 });
});
