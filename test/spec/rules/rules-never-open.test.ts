// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  damaged,
  damages,
  extension,
  type Json,
  notEnforced,
  soundDefinitions,
} from '../../../packages/recto/src/definition/damaged-definitions.fixture.ts';
import { query } from '../../support/database/database.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

// A rule that cannot be enforced must never become no rule: the definition is rejected, by files and by the API.

const root = '/api/v1/admin/content-types';

const extended = { extends: 'page', fields: [{ name: 'subtitle', field_type: 'text' }] };

/** Its rule goes through a relation to a type that there is not. */
const lost = {
  singular: 'diary',
  plural: 'diaries',
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'owner', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'nobody' } },
  ],
  api: { list: { filter: 'owner.id = @request.auth.id' }, get: { filter: 'owner.id = @request.auth.id' } },
};

describe('a definition that names a member twice', () => {
  const twice = '{"singular":"diary","plural":"diaries","api":{"list":{"filter":"id = null"}},"api":{}}';

  test('is refused by the API: only the last would count', async () => {
    await using service = await TestService.open([], { builtIn: true });
    await service.account('ada', 'admin');
    const again = twice.replace('"api":{}', '"\\u0061pi":{}');
    for (const body of [twice, again]) {
      const { status, json } = await service.send(`POST ${root}`, { as: 'ada', body });
      expect([status, json.code]).toEqual([400, 'malformed_json']);
      expect(json.detail).toBe('The body has the member "api" twice.');
    }
    const made = await service.send(`POST ${root}`, { as: 'ada', body: { singular: 'diary', plural: 'diaries' } });
    expect(made.status).toBe(201);
    expect((await service.send(`PUT ${root}/diary`, { as: 'ada', body: twice })).status).toBe(400);
  });

  test('keeps a service from starting where it is stored, and so does one that is no JSON', async () => {
    await using service = await TestService.open([], { builtIn: true });
    await service.account('ada', 'admin');
    await service.send(`POST ${root}`, { as: 'ada', body: { singular: 'diary', plural: 'diaries' } });
    for (const definition of [twice, '{']) {
      await service.database.transaction(async (transaction) => {
        await transaction.run(query('update recto_content_types set definition = ?', definition));
      });
      await expect(service.anotherApp()).rejects.toThrow(
        'diary (created through the API): is not JSON, or has a member twice',
      );
    }
  });
});

describe('a rule that mentions a relation to a type that there is not', () => {
  test('keeps a service from starting, whatever else is in the folder', async () => {
    for (const files of [[lost], [extended, lost], [lost, extended]]) {
      const opened = TestService.open(files, { builtIn: true }).then((service) => service[Symbol.asyncDispose]());
      await expect(opened).rejects.toThrow('there is no content type "nobody"');
    }
  });

  test('is rejected when the type is created through the API', async () => {
    for (const files of [[], [extended]]) {
      await using service = await TestService.open(files, { builtIn: true });
      await service.account('ada', 'admin');
      const { status, json } = await service.send(`POST ${root}`, { as: 'ada', body: lost });
      expect(status).toBe(422);
      expect(json.errors).toMatchObject([{ field: 'fields[1].relation.target', code: 'unknown_type' }]);
      expect((await service.send('GET /api/v1/cms/diaries')).status).toBe(404);
    }
  });

  test('is rejected when the type that it refers to goes', async () => {
    await using service = await TestService.open([extended], { builtIn: true });
    await service.account('ada', 'admin');
    const owner = { singular: 'owner', plural: 'owners', fields: [{ name: 'name', field_type: 'text' }] };
    const text = JSON.stringify(lost).replaceAll('nobody', 'owners');
    expect((await service.send(`POST ${root}`, { as: 'ada', body: owner })).status).toBe(201);
    expect((await service.send(`POST ${root}`, { as: 'ada', body: JSON.parse(text) })).status).toBe(201);
    const { id } = await service.seed('owners', { name: 'Somebody' });
    await service.seed('diaries', { title: 'Mine', owner: id });
    expect((await service.send(`DELETE ${root}/owner`, { as: 'ada' })).json.code).toBe('content_type_in_use');
    expect((await service.send('GET /api/v1/cms/diaries')).json.items).toEqual([]);
  });
});

/** What is done with one of the definitions. */
const steps = fc.array(
  fc.record({
    at: fc.nat(4),
    damages: fc.array(damages, { maxLength: 2 }),
    removes: fc.boolean().chain((once) => (once ? fc.boolean() : fc.constant(false))),
  }),
  { minLength: 4, maxLength: 8 },
);

const singularOf = (definition: Json | undefined): string => String(Object(definition).singular);

test('whatever is created, replaced or deleted through the API, every rule and whitelist of what is served holds', async () => {
  await using service = await TestService.open([extended], { builtIn: true });
  await service.account('ada', 'admin');
  const send = (line: string, body?: Json) =>
    service.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) });
  const clear = async () => {
    // What is related to cannot go before what relates to it.
    for (let round = 0; round < 6; round += 1) {
      const stored = service.definitions.current.stored.map(({ singular }) => singular);
      if (stored.length === 0) return;
      for (const singular of stored) {
        const plain: Json = { singular, plural: `all-${singular}`, fields: [] };
        await send(`PUT ${root}/${singular}`, plain);
        await send(`DELETE ${root}/${singular}`);
      }
    }
  };
  const save = async (definition: Json) => {
    const path = `${root}/${singularOf(definition)}`;
    const made = await send(`POST ${root}`, definition);
    return made.status === 201 || Object(definition).singular === undefined ? made : send(`PUT ${path}`, definition);
  };
  const holds = () => {
    const { types, stored } = service.definitions.current;
    const definitions = [extended, ...stored.map(({ definition }) => definition)];
    expect(notEnforced(definitions, types)).toEqual([]);
  };
  await fc.assert(
    fc.asyncProperty(soundDefinitions, steps, async (definitions, all) => {
      await clear();
      const sound = definitions.filter((definition) => !Bun.deepEquals(definition, extension));
      // Types that relate to one another are created without their fields first.
      for (const definition of sound) {
        const { singular, plural } = Object(definition);
        await save({ singular, plural });
      }
      for (const definition of [...sound, ...sound]) await save(definition);
      holds();
      for (const { at, damages: some, removes } of all) {
        const definition = some.reduce(damaged, [sound[at % sound.length] ?? null])[0];
        const { status } = removes
          ? await send(`DELETE ${root}/${singularOf(sound[at % sound.length])}`)
          : await save(definition ?? null);
        expect(status).toBeLessThan(500);
        holds();
      }
    }),
    { numRuns: randomCases(12) },
  );
});
