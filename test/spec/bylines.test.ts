import { beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../service.ts';

const profile = {
  display_name: 'Ada Lovelace',
  avatar: 'https://pictures.example/ada.png',
  bio: 'Writes programs.\nAnd letters.',
  website: 'https://ada.example/',
};

let service: TestService;

beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, commentsAutoApprove: 'all' });
  await service.account('root', 'admin');
  for (const name of ['ada', 'bob']) await service.account(name, 'member');
  return async () => service[Symbol.asyncDispose]();
});

async function post(as: string, body: Readonly<Record<string, unknown>>, status = 'Published') {
  const { json } = await service.send('POST /api/v1/posts', { as, body });
  await service.send(`PUT /api/v1/admin/posts/${json.id}/status`, { as: 'root', body: { status } });
  return json;
}

describe('a profile', () => {
  test('is set by the account', async () => {
    const { status, json } = await service.send('PUT /api/v1/auth/me', { as: 'ada', body: profile });
    expect([status, json]).toMatchObject([200, { ...profile, profile_public: false }]);
    expect((await service.send('GET /api/v1/auth/me', { as: 'ada' })).json).toMatchObject(profile);
  });
});

describe('include=author', () => {
  test('adds the profile of the author of a post', async () => {
    const made = await post('ada', { title: 'A byline' });
    const id = service.idOf('ada');
    const shown = { id, ...profile };
    expect((await service.send(`GET /api/v1/posts/${made.slug}?include=author`)).json).toMatchObject({
      author_id: id,
      author: shown,
    });
    const list = await service.send('GET /api/v1/posts?include=author');
    expect(list.json.items[0].author).toEqual(shown);
    expect((await service.send('GET /api/v1/posts')).json.items[0]).not.toHaveProperty('author');
    expect((await service.send(`GET /api/v1/users/${id}`)).json).toEqual(shown);
  });
});
