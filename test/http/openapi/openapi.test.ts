import { afterAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  isClosed,
  openApiPath,
  openApiService,
  openApiWorld,
  sendCall,
} from '../../support/openapi/openapi-agreement.ts';
import { successCall, withKey } from '../../support/openapi/openapi-calls.ts';
import { TestService } from '../../support/service.ts';

const world = await openApiWorld();
const { service, reader } = world;
const document = (await service.send(`GET ${openApiPath}`)).json;
afterAll(() => service.database.close());

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
        return other.send(`GET ${openApiPath}`);
      }),
    );
    expect(new Set(documents.map(({ text }) => text)).size).toBe(variants.length);
    expect(new Set(documents.map(({ headers }) => headers.get('etag'))).size).toBe(variants.length);
  });

  test('is the same, by the same tag, for the same definitions', async () => {
    await using other = await openApiService();
    const again = await other.send(`GET ${openApiPath}`);
    const first = await service.send(`GET ${openApiPath}`);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});

describe('a write that is sent twice with one key', () => {
  const keyed = reader.operations.filter(({ takesKey }) => takesKey);
  const posts = reader.operations.filter((operation) => operation.method === 'POST' && !isClosed(operation));

  test('is a POST with any answer but a secret, or an update by the admin routes', () => {
    const others = posts.filter(({ takesKey }) => !takesKey).map(({ operationId }) => operationId);
    expect(others.toSorted()).toEqual([
      'acceptInvitation',
      'beginPasskey',
      'beginTotp',
      'confirmEmailChange',
      'confirmPasswordReset',
      'confirmTotp',
      'confirmVerification',
      'createApiToken',
      'createPasskey',
      'createPreview',
      'createRecoveryCodes',
      'createStreamTicket',
      'createWebhook',
      'exchangeProviderCode',
      'getPasskeyOptions',
      'getStepUpOptions',
      'giveSecondFactor',
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
      'signInWithPasskey',
      'signMedia',
      'startIdentityLink',
      'stepUp',
    ]);
    const updates = keyed.filter(({ method }) => method !== 'POST').map(({ operationId }) => operationId);
    expect(updates).toContain('adminUpdateArticleRecord');
    expect(updates.filter((id) => !/^adminUpdate\w+Record(?:Patch)?$/.test(id))).toEqual([]);
  });

  test.each(keyed.map((operation) => [operation.operationId, operation] as const))('%s', async (_, operation) => {
    const call = withKey(await successCall(world, operation));
    const first = await sendCall(service, operation, call);
    expect(first.status, first.text).toBeLessThan(300);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const second = await sendCall(service, operation, call);
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
