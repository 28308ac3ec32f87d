import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ContentType } from '../../../packages/recto/src/definition/content-type.ts';
import { awkwardValues } from '../../support/awkward-values.ts';
import { withExisting } from '../../support/openapi/inner-relations.ts';
import { seeded } from '../../support/openapi/openapi-calls.ts';
import { type DocumentedOperation, OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import { openApiTypes } from '../../support/openapi/openapi-types.ts';
import { valuesOf } from '../../support/openapi/schema-values.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

const service = await TestService.open(await openApiTypes(), { builtIn: true });
await service.account('ada', 'admin');
const reader = new OpenApiReader((await service.send('GET /api/v1/openapi.json')).json);
afterAll(() => service.database.close());

type Body = Readonly<Record<string, unknown>>;

const existing = {
  author: await Promise.all([1, 2, 3].map(async () => (await seeded(service, 'author')).id)),
  topic: await Promise.all([1, 2, 3].map(async () => (await seeded(service, 'topic')).id)),
  media: await Promise.all([1, 2, 3].map(async () => (await seeded(service, 'media')).id)),
};

/** Values within bounds that the schema does not say, so that enough bodies are accepted. */
const bounded: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  big: fc.bigInt({ min: 0n, max: 9n * 10n ** 18n }).map(String),
  rate: fc.constantFrom('0', '0.25', '1', '1.000'),
  season: fc.constantFrom('2000-01-01', '2026-11-21', '2099-12-31'),
  cover_image: fc.oneof(
    fc.webUrl(),
    fc.constantFrom('/a.png', 'https://example.com/a b.png'.replace(' ', '%20'), '/ä[1]|.png'),
  ),
  parent_id: fc.constant(null),
  parent: fc.constant(null),
  // There are only as many as there are authors.
  twin: fc.constant(null),
};

/** Values that no schema can describe: ids of records, and bounds of what is no JSON number. */
function suitable(type: ContentType): Record<string, fc.Arbitrary<unknown>> {
  const own = Object.entries(bounded).filter(([name]) => type.field.has(name));
  const ids = type.fields.flatMap(({ name, place }) => {
    if (place.shape !== 'to_one' && place.shape !== 'to_many') return [];
    if (place.target !== 'author' && place.target !== 'topic' && place.target !== 'media') return [];
    const one = fc.constantFrom(...existing[place.target]);
    return [[name, place.shape === 'to_one' ? one : fc.uniqueArray(one, { minLength: 1 })] as const];
  });
  return Object.fromEntries([...ids, ...own]);
}

/** A body that the schema accepts as far as it goes, with up to two members replaced, left out or added. */
function bodies(type: ContentType, operation: DocumentedOperation): fc.Arbitrary<Body> {
  const schema = operation.bodySchema?.$ref === undefined ? {} : reader.resolve(operation.bodySchema.$ref);
  const names = Object.keys(schema.properties ?? {});
  const change = fc.oneof(
    fc.tuple(fc.constantFrom(...names), awkwardValues),
    fc.constantFrom(...names).map((name) => [name, undefined] as const),
    fc.tuple(fc.constantFrom('no_such_field', '', '__proto__', 'a.b', 'a[0]', '"'), fc.constant(1)),
  );
  const whole = valuesOf(schema, reader.resolve) as fc.Arbitrary<Body>;
  return fc
    .tuple(whole, fc.record(suitable(type)), fc.array(change, { maxLength: 2 }), fc.integer({ max: 4, min: 0 }))
    .map(([body, values, changes, sometimes]) => {
      const present = sometimes === 0 ? [] : Object.entries(values).filter(([name]) => Object.hasOwn(body, name));
      const inside = sometimes === 0 ? [] : Object.entries(body).flatMap((member) => related(type, member));
      const entries = [...Object.entries(body), ...present, ...inside, ...changes];
      // As it travels: `__proto__` is a name like another, and what is undefined is left out.
      return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
    });
}

/** A structured member of a body, with relations to records that exist. */
function related(type: ContentType, [name, value]: [string, unknown]): [string, unknown][] {
  const field = type.field.get(name);
  return field?.structure === undefined ? [] : [[name, withExisting(field, value, () => existing.author[0] ?? '')]];
}

/** Of the fields inside. */
const inside = ['too_small', 'too_large', 'wrong_type', 'unknown_record', 'invalid'];

/** What a field's value can be rejected for although the document's schema accepts it. */
function unsayable(type: ContentType, name: string): readonly string[] {
  const field = type.field.get(name);
  if (field === undefined) return [];
  const ofType: Partial<Record<string, readonly string[]>> = {
    // Bounds of values that are no JSON numbers.
    bigint: ['too_small', 'too_large'],
    decimal: ['too_small', 'too_large'],
    date: ['too_small', 'too_large'],
    // Offsets that lead out of the years 0000 to 9999.
    datetime: ['too_small', 'too_large', 'wrong_type'],
    time: ['too_small', 'too_large'],
    // What begins with a scheme and is no URL.
    media: ['bad_format', 'unknown_record', 'wrong_type'],
    // Sent with the number of a list that was cut.
    relation: ['unknown_record', 'incomplete'],
    json: ['too_deep'],
    group: inside,
    list: inside,
    blocks: inside,
  };
  return [
    // U+0000 and lone surrogates.
    'invalid_text',
    ...(field.unique || field.type.alwaysUnique ? ['taken'] : []),
    ...(field.immutable ? ['immutable'] : []),
    // The status may have been reached already.
    ...(name === 'scheduled_at' ? ['transition_not_allowed'] : []),
    ...(ofType[field.type.name] ?? []),
  ];
}

function checkAgreement(type: ContentType, operation: DocumentedOperation, body: Body, reply: Reply): void {
  const schema = operation.bodySchema ?? {};
  const faulty = reader.faultyMembers(schema, body);
  expect(reader.differences(operation, reply)).toEqual([]);
  const refused: { field: string; code: string }[] = reply.json.errors ?? [];
  if (reply.status < 300) expect([...faulty]).toEqual([]);
  else if (reply.status === 409) expect(body).toHaveProperty('lock_version');
  else expect(reply.status, reply.text).toBe(422);
  const named = new Map(refused.map(({ field, code }) => [/^[^.[]*/.exec(field)?.[0] ?? '', code]));
  if (reply.status !== 422) return;
  // Every error that the schema shows is reported, and what is reported beyond it has a known reason.
  for (const name of faulty) if (/^\w+$/.test(name)) expect([...named.keys()]).toContain(name);
  for (const [name, code] of named) {
    if (!faulty.has(name) && type.field.has(name)) expect(unsayable(type, name), `${name}: ${code}`).toContain(code);
  }
}

/** The same bodies each time. A failure prints the seed and the path of its run. */
const seed = Number(process.env.RECTO_TEST_SEED ?? 20_261_122);

const runs = {
  specimen: 500,
  marvel: 100,
  article: 150,
  author: 100,
  ticket: 100,
  preference: 50,
  vault: 10,
  page: 150,
  post: 150,
};

describe.each(Object.entries(runs))('bodies of %s agree with the document', (singular, usual) => {
  const numRuns = randomCases(usual);
  const type = service.types.get(singular);
  const name = type.name.replaceAll(' ', '');
  const stem = `${name[0]?.toUpperCase()}${name.slice(1)}`;

  if (type.kind === 'collection') {
    test('create: what it describes is accepted, what it does not is rejected', async () => {
      const operation = reader.operation(`${type.ownRoutes ? 'create' : 'adminCreate'}${stem}Record`);
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(bodies(type, operation), async (body) => {
          const reply = await service.send(`POST ${operation.path}`, { as: 'ada', body });
          if (reply.status === 201) accepted += 1;
          checkAgreement(type, operation, body, reply);
        }),
        { seed, numRuns },
      );
      // Else the property says nothing.
      expect(accepted).toBeGreaterThan(numRuns / 10);
    }, 600_000);
  }

  test('update: what it describes is accepted, what it does not is rejected', async () => {
    const operation = reader.operation(`adminUpdate${stem}Record`);
    const { id } = await seeded(service, singular);
    const path = operation.path.replace('{id}', id);
    await fc.assert(
      fc.asyncProperty(bodies(type, operation), async (body) => {
        checkAgreement(type, operation, body, await service.send(`PUT ${path}`, { as: 'ada', body }));
      }),
      { seed, numRuns },
    );
  }, 600_000);
});
