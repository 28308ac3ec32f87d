import { expect, test } from 'bun:test';
import { TestService } from '../../../../../test/support/service.ts';

test('editors get the names of accounts, those of a tenant its own, and members none', async () => {
  await using service = await TestService.open([], { builtIn: true });
  for (const [name, role, tenant] of [
    ['ada', 'admin', null],
    ['eve', 'editor', null],
    ['tim', 'editor', 'north'],
    ['tom', 'member', 'north'],
    ['mia', 'member', null],
  ] as const)
    await service.account(name, role, tenant);
  await service.send('PUT /api/v1/auth/me', { as: 'tom', body: { display_name: 'Tom Okafor' } });
  await service.send('PUT /api/v1/auth/me', { as: 'mia', body: { username: 'mia' } });
  const asked = async (name: string, as?: string) => {
    const line = `GET /api/v1/admin/people/${service.idOf(name)}`;
    const { status, json } = await service.send(line, as === undefined ? {} : { as });
    return status === 200 ? json : status;
  };
  expect(await asked('tom', 'eve')).toEqual({ id: service.idOf('tom'), name: 'Tom Okafor', kind: 'account' });
  expect(await asked('mia', 'ada')).toEqual({ id: service.idOf('mia'), name: 'mia', kind: 'account' });
  expect(await asked('eve', 'eve')).toEqual({ id: service.idOf('eve'), name: null, kind: 'account' });
  expect(await asked('tom', 'tim')).toEqual({ id: service.idOf('tom'), name: 'Tom Okafor', kind: 'account' });
  expect(await asked('mia', 'tim')).toBe(404);
  expect(await asked('tom', 'mia')).toBe(403);
  expect(await asked('tom')).toBe(401);
  expect((await service.send('GET /api/v1/admin/people/nobody', { as: 'eve' })).status).toBe(404);
});
