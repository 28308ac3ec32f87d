import { expect, test } from 'bun:test';
import type { AuthProvider } from '../../config/auth-provider-setting.ts';
import { readSettings } from '../../config/settings.ts';
import { checkDefinitions } from '../../definition/check-definitions.ts';
import { escalationFinding } from './escalation-check.ts';

const everything = {
  base: 'editor',
  types: { '*': { list: true, get: true, create: true, update: true, delete: true, publish: true } },
  may: { media: 'all', comments: 'moderate', events: true },
};

/** What the check finds of roles, with providers that give roles. */
function found(roles: readonly object[], given: Readonly<Record<string, Readonly<Record<string, string>>>> = {}) {
  const sources = roles.map((definition, index) => ({ file: `roles/${index}.toml`, definition }));
  const { types, faults } = checkDefinitions([], { roles: { sources, unreadable: [] } });
  if (types === undefined) throw new Error(JSON.stringify(faults));
  const providers = Object.entries(given).map(([name, written]): [string, AuthProvider] => [
    name,
    {
      ...{ name, kind: 'oidc', issuer: 'https://id.example.com', clientId: 'recto', scopes: ['openid'], label: name },
      ...{ trustedEmail: true, registration: false, domains: [], roleClaim: 'groups', roles: written },
      ...{ allowAdmin: true, trustsMfa: false },
    },
  ]);
  return escalationFinding({
    types,
    settings: { ...readSettings({}), authProviders: Object.fromEntries(providers) },
  });
}

test('no role, or one that manages no accounts, gets more than its rights', async () => {
  expect(await found([])).toMatchObject({ verdict: 'ok', detail: 'none of your own' });
  expect(await found([{ name: 'writer' }, { name: 'boss', ...everything }])).toMatchObject({
    ...{ verdict: 'ok', detail: 'writer, boss' },
  });
  expect(await found([{ name: 'writer' }], { company: { boss: 'admin' } })).toMatchObject({ verdict: 'ok' });
});

test('a role that manages accounts is reported, and more where a provider changes the roles of these', async () => {
  const desk = { name: 'desk', may: { users: true } };
  const own = 'desk: it makes accounts of its own role and of members, and sets their passwords (may.users)';
  expect(await found([desk, { name: 'writer' }])).toMatchObject({ verdict: 'warn', detail: own });
  expect(await found([desk], { company: { people: 'member', desk: 'desk' } })).toMatchObject({ detail: own });
  expect(await found([desk], { company: { boss: 'admin', staff: 'editor' } })).toMatchObject({
    verdict: 'warn',
    detail: `${own}; desk: it can make itself an admin: it sets the passwords of accounts whose role the sign-in provider "company" changes later (may.users)`,
  });
  expect(await found([desk], { company: { staff: 'editor' } })).toMatchObject({
    detail: expect.stringContaining('it can get the rights of editor: '),
  });
});

test('definitions with errors are not checked', async () => {
  expect(await escalationFinding({ types: undefined, settings: readSettings({}) })).toMatchObject({ verdict: 'ok' });
});
