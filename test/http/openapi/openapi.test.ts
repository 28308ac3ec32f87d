import { afterAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { mailSettings } from '../../support/mail-server.ts';
import {
  askedWith,
  type Call,
  provokedStatuses,
  refusedCall,
  successCall,
  type World,
  withKey,
} from '../../support/openapi/openapi-calls.ts';
import { type DocumentedOperation, OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import { openApiTypes } from '../../support/openapi/openapi-types.ts';
import { providerSettings } from '../../support/providers/provider-settings.ts';
import { type Reply, type ServiceOptions, TestService } from '../../support/service.ts';

const path = '/api/v1/openapi.json';
const definitions = await openApiTypes();
const opened: TestService[] = [];

async function open(options: ServiceOptions = {}): Promise<TestService> {
  const service = await TestService.open(definitions, {
    builtIn: true,
    maxBody: 50_000,
    settings: { ...mailSettings({ kind: 'log' }), ...providerSettings, signInCodes: 'all' },
    ...options,
  });
  opened.push(service);
  return service;
}

async function openWorld(options: ServiceOptions = {}): Promise<World> {
  const service = await open(options);
  await service.account('ada', 'admin');
  await service.account('mia');
  await service.account('tess', 'member', 'acme');
  const body = { name: 'robot', role: 'admin' };
  const { token } = (await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body })).json;
  return { service, reader: new OpenApiReader((await service.send(`GET ${path}`)).json), robot: token };
}

const world = await openWorld();
const { service, reader } = world;
const document = (await service.send(`GET ${path}`)).json;

afterAll(async () => {
  for (const each of opened) await each.database.close();
});

const send = (to: TestService, { method }: DocumentedOperation, call: Call): Promise<Reply> =>
  to.send(`${method} ${call.path}`, call);

const statusesOf = ({ responses }: DocumentedOperation): readonly number[] => Object.keys(responses).map(Number);
const named = reader.operations.map((operation) => [operation.operationId, operation] as const);
const having = (...statuses: readonly number[]) =>
  reader.operations.flatMap((operation) =>
    statusesOf(operation)
      .filter((status) => statuses.includes(status))
      .map((status) => [operation.operationId, status, operation] as const),
  );

describe('the document of a complete service', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has every operation and nothing else, each by an id of its own', () => {
    const answered = service.operations.flatMap((each) =>
      (each.method === 'PUT' && each.patch !== false ? ['PUT', 'PATCH'] : [each.method]).map(
        (method) => `${method} ${each.path}`,
      ),
    );
    const all = [...reader.operations, ...reader.ofBytes];
    const documented = all.map((each) => `${each.method} ${each.path}`);
    expect(documented.toSorted()).toEqual(answered.toSorted());
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is another one, by another tag, when the definitions change', async () => {
    const title = { name: 'title', field_type: 'text' };
    const variants = [{}, { max_length: 5 }, { private: true }, { description: 'What it is called.' }];
    const documents = await Promise.all(
      variants.map(async (options) => {
        await using other = await TestService.open([
          { singular: 'a', plural: 'as', fields: [{ ...title, ...options }] },
        ]);
        return other.send(`GET ${path}`);
      }),
    );
    expect(new Set(documents.map(({ text }) => text)).size).toBe(variants.length);
    expect(new Set(documents.map(({ headers }) => headers.get('etag'))).size).toBe(variants.length);
  });

  test('is the same, by the same tag, for the same definitions', async () => {
    const again = await (await open()).send(`GET ${path}`);
    const first = await service.send(`GET ${path}`);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});

/** Endpoints whose access is `none`: there is no success. */
const isClosed = (operation: DocumentedOperation): boolean => !statusesOf(operation).some((status) => status < 300);

describe('each operation answers as documented', () => {
  const opened = named.filter(([, operation]) => !isClosed(operation));

  test.each(opened)('%s: success', async (_, operation) => {
    const reply = await send(service, operation, await successCall(world, operation));
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reader.differences(operation, reply)).toEqual([]);
  });

  test.each(opened)('%s takes the documented parameters', async (_, operation) => {
    let call: Call | undefined;
    for (const name of operation.queryNames) {
      // What only reads finds the same once more.
      if (operation.method !== 'GET') call = undefined;
      call ??= await successCall(world, operation);
      const reply = await send(service, operation, { ...call, path: `${call.path}?${parameterOf(name)}` });
      expect(reader.differences(operation, reply)).toEqual([]);
      expect([name, reply.json?.code]).not.toEqual([name, 'unknown_parameter']);
    }
  });

  const parameterOf = (name: string): string =>
    name === '__meta'
      ? '__meta.a=1'
      : `${name}=${name === 'sort' ? 'id:asc' : name === 'skip_total' ? 'true' : name === 'filter' ? 'id:isset' : '1'}`;

  test.each(named)('%s asks for a token where documented', async (_, operation) => {
    const reply = await send(service, operation, askedWith(null, await successCall(world, operation)));
    expect(reader.differences(operation, reply)).toEqual([]);
    const needed = operation.security.length > 0 && operation.security.every((each) => 'bearer_auth' in each);
    expect([operation.operationId, reply.json?.code === 'authentication_required']).toEqual([
      operation.operationId,
      needed,
    ]);
  });
});

describe('a write that is sent twice with one key', () => {
  const keyed = reader.operations.filter(({ takesKey }) => takesKey);
  const posts = reader.operations.filter((operation) => operation.method === 'POST' && !isClosed(operation));

  test('is a POST with any answer but a secret, or an update by the admin routes', () => {
    const others = posts.filter(({ takesKey }) => !takesKey).map(({ operationId }) => operationId);
    expect(others.toSorted()).toEqual([
      'acceptInvitation',
      'confirmEmailChange',
      'confirmPasswordReset',
      'confirmVerification',
      'createApiToken',
      'createStreamTicket',
      'createWebhook',
      'exchangeProviderCode',
      'inviteUser',
      'linkIdentity',
      'login',
      'logout',
      'refreshTokens',
      'register',
      'requestCode',
      'requestPasswordReset',
      'requestVerification',
      'revertEmailChange',
      'rotateWebhookSecret',
      'signInWithCode',
      'signMedia',
      'startIdentityLink',
    ]);
    const updates = keyed.filter(({ method }) => method !== 'POST').map(({ operationId }) => operationId);
    expect(updates).toContain('adminUpdateArticleRecord');
    expect(updates.filter((id) => !/^adminUpdate\w+Record(?:Patch)?$/.test(id))).toEqual([]);
  });

  test.each(keyed.map((operation) => [operation.operationId, operation] as const))('%s', async (_, operation) => {
    const call = withKey(await successCall(world, operation));
    const first = await send(service, operation, call);
    expect(first.status, first.text).toBeLessThan(300);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const second = await send(service, operation, call);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    for (const name of ['etag', 'location', 'content-type']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
  });
});

test('what is closed says so', () => {
  const closed = reader.operations.filter(isClosed).map(({ operationId }) => operationId);
  expect(closed.toSorted()).toEqual([
    'aggregateArchiveRecords',
    'createArchiveRecord',
    'deleteArchiveRecord',
    'getArchiveRecord',
    'listArchiveRecords',
    'updateArchiveRecord',
    'updateArchiveRecordPatch',
  ]);
});

describe('each documented refusal can be had, and no other', () => {
  /** Answers for which the service is made ready otherwise, below; and what a service that works never answers. */
  const apart = (id: string, status: number) =>
    status < 300 || [429, 500, 503].includes(status) || readyOtherwise.has(`${id}: ${status}`);
  const readyOtherwise: ReadonlySet<string> = new Set(['register: 403', 'sendTestMail: 409', 'unlinkIdentity: 409']);

  test.each(named)('%s', async (id, operation) => {
    const documented = statusesOf(operation);
    let success: Call | undefined;
    for (const status of provokedStatuses(operation, documented)) {
      if (apart(id, status)) continue;
      success ??= await successCall(world, operation);
      const reply = await send(service, operation, await refusedCall(status, world, operation, success));
      // What is refused for how it was sent changes nothing.
      if (![400, 401, 403, 405, 413, 415, 422].includes(reply.status)) success = undefined;
      expect(reader.differences(operation, reply)).toEqual([]);
      if (documented.includes(status)) expect(reply.status, reply.text).toBe(status);
    }
  });

  test('register: 403', async () => {
    const closed = await open({ registrationOpen: false });
    const operation = reader.operation('register');
    const reply = await send(closed, operation, await successCall({ ...world, service: closed }, operation));
    expect(reply.status).toBe(403);
    expect(reader.differences(operation, reply)).toEqual([]);
  });

  test('unlinkIdentity: 409', async () => {
    const off = await openWorld({ settings: providerSettings });
    const operation = reader.operation('unlinkIdentity');
    const reply = await send(
      off.service,
      operation,
      await refusedCall(409, off, operation, await successCall(off, operation)),
    );
    expect([reply.status, reply.json?.code]).toEqual([409, 'last_sign_in_method']);
    expect(reader.differences(operation, reply)).toEqual([]);
  });

  test('without mail: 409', async () => {
    const off = await openWorld({ settings: {} });
    for (const id of ['sendTestMail']) {
      const operation = reader.operation(id);
      const reply = await send(off.service, operation, await successCall(off, operation));
      expect([id, reply.status, reply.json?.code]).toEqual([id, 409, 'mail_off']);
      expect(reader.differences(operation, reply)).toEqual([]);
    }
  });

  // How many streams a caller may open is held where streams are tested.
  test.each(having(429).filter(([id]) => id !== 'streamEvents'))('%s: %i', async (_, status, operation) => {
    const limited = await openWorld({ rateLimit: true });
    const success = await successCall(limited, operation);
    for (let tries = 0; tries < 40; tries++) {
      const reply = await send(limited.service, operation, await refusedCall(status, limited, operation, success));
      expect(reader.differences(operation, reply)).toEqual([]);
      if (reply.status === status) return;
    }
    throw new Error('the limit never came');
  });

  test('all of them: 503, when the database is gone', async () => {
    const gone = await openWorld();
    const calls: [DocumentedOperation, Call][] = [];
    for (const [, , operation] of having(503)) calls.push([operation, await successCall(gone, operation)]);
    await gone.service.database.close();
    for (const [operation, call] of calls) {
      const reply = await send(gone.service, operation, call);
      expect([operation.operationId, reply.status]).toEqual([operation.operationId, 503]);
      expect(reader.differences(operation, reply)).toEqual([]);
    }
  });

  test('nothing else is documented but what is never wanted', () => {
    const known = [200, 201, 202, 204, 304, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503];
    expect(reader.operations.flatMap(statusesOf).filter((status) => !known.includes(status))).toEqual([]);
  });
});
