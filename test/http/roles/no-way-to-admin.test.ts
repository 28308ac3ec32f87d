// databases: sqlite
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// A role that says yes to everything still is no admin, and has no way to become one.

const boss = {
  name: 'boss',
  base: 'editor',
  types: { '*': { list: true, get: true, create: true, update: true, delete: true, publish: true } },
  may: { media: 'all', comments: 'moderate', users: true, events: true },
};

const note = { singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([note], { builtIn: true, roles: [boss] });
  await service.account('ada', 'admin');
  await service.account('ben', 'boss');
});
afterAll(() => service[Symbol.asyncDispose]());

interface Listed {
  readonly line: string;
  readonly id: string;
  readonly tag: string;
}

/** All operations of the admin routes, with ids of nothing. */
async function adminOperations(): Promise<readonly Listed[]> {
  const { json } = await service.send('GET /api/v1/openapi.json');
  const paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; tags: readonly string[] }>>>> =
    json.paths;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { operationId, tags }]) =>
      path.startsWith('/api/v1/admin/') && operationId !== undefined
        ? [
            {
              line: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000')}`,
              ...{ id: operationId, tag: tags[0] ?? '' },
            },
          ]
        : [],
    ),
  );
}

describe('a role with all rights', () => {
  test('is kept from what belongs to the installation: tokens, webhooks, roles, definitions, imports and exports', async () => {
    const open: Listed[] = [];
    const closed: Listed[] = [];
    for (const each of await adminOperations()) {
      const { status, json } = await service.send(each.line, { as: 'ben' });
      (status === 403 && json.code === 'insufficient_role' ? closed : open).push(each);
    }
    const tags = new Set(closed.map(({ tag }) => tag));
    for (const tag of ['api-tokens', 'mail', 'roles', 'transfer', 'webhooks']) {
      expect({ tag, isClosed: tags.has(tag) }).toEqual({ tag, isClosed: true });
      expect(open.filter((each) => each.tag === tag)).toEqual([]);
    }
    // The description of content types is for all who see records.
    expect(open.filter(({ tag, line }) => tag === 'content-types' && !line.startsWith('GET '))).toEqual([]);
    expect(open.flatMap(({ tag, id }) => (tag === 'users' ? [id] : [])).toSorted()).toEqual([
      'createUser',
      'deleteUser',
      'deleteUserPicture',
      'getAccountName',
      'getUser',
      'listPeople',
      'listPictures',
      'listUsers',
      'updateUser',
      'updateUserPatch',
    ]);
  });

  test('gives no rights above its own, and no proof of an address', async () => {
    const send = (line: string, body: object) => service.send(line, { as: 'ben', body });
    const id = await service.account('mia');
    const refused = (field: string) => ({ status: 422, json: { errors: [{ field, code: 'not_allowed' }] } });
    const user = { email: 'new@example.com', password: 'correct horse' };
    for (const role of ['admin', 'editor']) {
      expect(await send('POST /api/v1/admin/users', { ...user, role })).toMatchObject(refused('role'));
      expect(await send(`PUT /api/v1/admin/users/${id}`, { role })).toMatchObject(refused('role'));
    }
    expect(await send('POST /api/v1/admin/users', { ...user, verified: true })).toMatchObject(refused('verified'));
    expect(await send(`PUT /api/v1/admin/users/${id}`, { verified: true })).toMatchObject(refused('verified'));
    // What was read and is sent back does not hold for another address.
    await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { verified: true } });
    expect(await send(`PUT /api/v1/admin/users/${id}`, { verified: true, username: 'mia' })).toMatchObject({
      ...{ status: 200, json: { verified: true } },
    });
    expect(await send(`PUT /api/v1/admin/users/${id}`, { verified: true, email: 'other@example.com' })).toMatchObject({
      ...{ status: 200, json: { verified: false } },
    });
    const admin = service.idOf('ada');
    expect((await send(`PUT /api/v1/admin/users/${admin}`, { password: 'another horse' })).status).toBe(403);
    expect((await send(`PUT /api/v1/admin/users/${admin}`, { email: 'ben2@example.com' })).status).toBe(403);
    expect((await service.send('PUT /api/v1/auth/me', { as: 'ben', body: { role: 'admin' } })).status).not.toBe(500);
    expect((await service.send('GET /api/v1/auth/me', { as: 'ben' })).json.role).toBe('boss');
  });
});
