// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { plant } from '../../spec/rules/planted.ts';
import { randomCases } from '../../support/random-cases.ts';
import {
  type AnswerModel,
  answerOf,
  type Condition,
  type RecordModel,
  type RequestModel,
  ruleText,
  type Shown,
  type Stored,
  type Value,
  writtenRole,
} from '../../support/roles/reference.ts';
import { definitions, ownMark, request, role, stored, types } from '../../support/roles/world.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Random roles, records and requests: the service answers each as the reference does, which looks at one record after the other.

const worlds = randomCases(16);
const requestsAWorld = 40;

const base = '/api/v1/admin/cms';
const pluralOf = (singular: string): string => types.find((type) => type.singular === singular)?.plural ?? '';

/** Values by name, with the account's id where a record is its own. */
const owned = (body: Readonly<Record<string, Value>>, account: string): Readonly<Record<string, Value>> =>
  body.owner === ownMark ? { ...body, owner: account } : body;

const queryOf = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

const filterText = (condition: Condition | undefined) => (condition === undefined ? undefined : ruleText(condition));

async function send(service: TestService, asked: RequestModel): Promise<Reply> {
  const path = `${base}/${pluralOf(asked.type)}`;
  switch (asked.do) {
    case 'list': {
      const { filter, sort, search, include } = asked;
      const order = sort === undefined ? undefined : `${sort.field}:${sort.direction}`;
      return service.send(`GET ${path}${queryOf({ filter: filterText(filter), sort: order, search, include })}`, {
        as: 'clara',
      });
    }
    case 'count':
      return service.send(`GET ${path}/aggregate${queryOf({ group: asked.group, count: 'true' })}`, { as: 'clara' });
    case 'get':
      return service.send(`GET ${path}/${asked.id}${queryOf({ include: asked.include })}`, { as: 'clara' });
    case 'create':
      return service.send(`POST ${path}`, { as: 'clara', body: asked.body });
    case 'update':
      return service.send(`PUT ${path}/${asked.id}`, { as: 'clara', body: asked.body });
    case 'delete':
      return service.send(`DELETE ${path}/${asked.id}`, { as: 'clara' });
  }
}

/** The members of a record that the reference knows; protocols add times of their own. */
function known(type: string, record: Readonly<Record<string, unknown>>): Shown {
  const model = types.find(({ singular }) => singular === type);
  const shown: Record<string, Value | Shown> = { id: String(record.id) };
  for (const { name, target } of model?.fields ?? []) {
    if (!Object.hasOwn(record, name)) continue;
    const value = record[name];
    shown[name] =
      target !== undefined && typeof value === 'object' && value !== null
        ? known(target, value as Readonly<Record<string, unknown>>)
        : (value as Value);
  }
  return shown;
}

/** The reply in the form of the reference's answer. */
function answered(asked: RequestModel, { status, json }: Reply): AnswerModel {
  if (status >= 400 || status === 204) return { status };
  if (asked.do === 'count') {
    const items: readonly Readonly<Record<string, Value>>[] = json.items;
    return {
      status,
      counts: Object.fromEntries(items.map((item) => [JSON.stringify(item[asked.group]), Number(item.count)])),
    };
  }
  if (asked.do === 'list') {
    const items: readonly Readonly<Record<string, unknown>>[] = json.items;
    expect(json.total).toBe(items.length);
    return { status, items: items.map((item) => known(asked.type, item)) };
  }
  return { status, record: known(asked.type, json) };
}

/** The records after a request that was done. */
function after(records: Stored, asked: RequestModel, { status, json }: Reply): Stored {
  if (status >= 400) return records;
  const own = records[asked.type] ?? [];
  switch (asked.do) {
    case 'create': {
      const record: RecordModel = {
        ...(asked.type === 'article' ? { status: 'draft' } : {}),
        ...asked.body,
        id: json.id,
      };
      return { ...records, [asked.type]: [...own, record] };
    }
    case 'update':
      return {
        ...records,
        [asked.type]: own.map((each) => (each.id === asked.id ? { ...each, ...asked.body } : each)),
      };
    case 'delete':
      return withoutLinks({ ...records, [asked.type]: own.filter((each) => each.id !== asked.id) }, asked.id);
    default:
      return records;
  }
}

const withoutLinks = (records: Stored, id: string): Stored =>
  Object.fromEntries(
    Object.entries(records).map(([type, some]) => [
      type,
      some.map((record): RecordModel => {
        const entries = Object.entries(record).map(([name, value]) => [
          name,
          name !== 'id' && value === id ? null : value,
        ]);
        return { ...Object.fromEntries(entries), id: record.id };
      }),
    ]),
  );

/** The service gives a new record its id. */
const withId = (expected: AnswerModel, { record: made }: AnswerModel): AnswerModel =>
  expected.record === undefined || made?.id === undefined
    ? expected
    : { ...expected, record: { ...expected.record, id: made.id } };

/** The seed and the first difference: the world itself would fill pages. */
function reporter({ failed, seed, errorInstance }: { failed: boolean; seed: number; errorInstance?: unknown }): void {
  if (failed) throw new Error(`seed ${seed}: ${errorInstance}`);
}

test('roles, records and requests of any kind are answered as the reference does', async () => {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(
      role,
      stored,
      fc.array(request, { minLength: requestsAWorld, maxLength: requestsAWorld, size: 'max' }),
      async (model, world, requests) => {
        await using service = await TestService.open(definitions, { roles: [writtenRole(model)] });
        const account = await service.account('clara', model.name);
        let records: Stored = Object.fromEntries(
          Object.entries(world).map(([type, some]) => [
            type,
            some.map((record): RecordModel => ({ ...owned(record, account), id: record.id })),
          ]),
        );
        for (const type of ['team', 'writer', 'article']) {
          await plant(
            service,
            (records[type] ?? []).map(({ id, ...body }) => ({ type, id, body })),
          );
        }
        for (const drawn of requests) {
          const asked: RequestModel = 'body' in drawn ? { ...drawn, body: owned(drawn.body, account) } : drawn;
          const expected = answerOf({ role: model, account, types, stored: records }, asked);
          const reply = await send(service, asked);
          const found = answered(asked, reply);
          const wanted = asked.do === 'create' ? withId(expected, found) : expected;
          if (!Bun.deepEquals(found, wanted)) {
            const difference = { asked, wanted, found, reply: reply.json, role: writtenRole(model) };
            throw new Error(`The service answers otherwise: ${JSON.stringify(difference, null, 1)}`);
          }
          records = after(records, asked, reply);
          if (reply.status < 400) done += 1;
        }
      },
    ),
    { numRuns: worlds, endOnFailure: true, reporter },
  );
  // The test would prove nothing if everything was rejected.
  expect(done).toBeGreaterThan((worlds * requestsAWorld) / 8);
}, 600_000);
