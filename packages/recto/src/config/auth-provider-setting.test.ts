import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './settings.ts';

const url = { RECTO_URL: 'https://cms.example.com' };

function read(toml: string, environment: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'recto-providers-'));
  try {
    writeFileSync(join(folder, 'recto.toml'), toml);
    return readSettings(environment, join(folder, 'recto.toml'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const withSecret = (toml: string) => read(toml, { ...url, RECTO_AUTH_MAIN_SECRET: 'hunter2' });

const refusal = (options: string): string => {
  try {
    withSecret(`[auth.providers.main]\n${options}`);
    return 'accepted';
  } catch (error) {
    return String(error);
  }
};

test('a provider has the defaults of its kind', () => {
  const { authProviders, authSecrets } = withSecret(`[auth.providers.main]\nkind = "google"\nclient_id = "id"`);
  expect(authProviders.main).toEqual({
    ...{ name: 'main', kind: 'google', issuer: 'https://accounts.google.com', clientId: 'id', label: 'Google' },
    ...{ scopes: ['openid', 'email', 'profile'], trustedEmail: true, registration: false, domains: [] },
    ...{ roleClaim: null, roles: {}, allowAdmin: false, trustsMfa: false },
  });
  expect(authSecrets).toEqual({ main: 'hunter2' });
});

test('addresses are trusted where somebody is known to confirm them', () => {
  const trusted = (options: string) =>
    withSecret(`[auth.providers.main]\nclient_id = "id"\n${options}`).authProviders.main?.trustedEmail;
  expect(trusted('kind = "github"')).toBe(true);
  expect(trusted('kind = "github"\nissuer = "https://github.example.com"')).toBe(false);
  expect(trusted('kind = "microsoft"')).toBe(false);
  expect(trusted('kind = "microsoft"\nissuer = "https://login.microsoftonline.com/organizations/v2.0"')).toBe(false);
  const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';
  expect(trusted(`kind = "microsoft"\nissuer = "https://login.microsoftonline.com/${personal}/v2.0"`)).toBe(false);
  expect(trusted('kind = "microsoft"\nissuer = "https://login.microsoftonline.com/1b2c/v2.0"')).toBe(true);
  expect(trusted('kind = "oidc"\nissuer = "https://id.example.com"')).toBe(false);
  expect(trusted('kind = "oidc"\nissuer = "https://id.example.com"\ntrusted_email = true')).toBe(true);
});

test('a name with a hyphen has a variable with an underscore, and one in the environment has its JSON', () => {
  const providers = { 'my-id': { kind: 'oidc', issuer: 'http://127.0.0.1:4000', client_id: 'id' } };
  const settings = readSettings({
    ...{ RECTO_URL: 'http://localhost:9898', RECTO_AUTH_MY_ID_SECRET: 'hunter2' },
    RECTO_AUTH_PROVIDERS: JSON.stringify(providers),
    RECTO_AUTH_RETURN_TO: 'https://example.com/account/, http://localhost:3000',
  });
  expect(settings.authSecrets).toEqual({ 'my-id': 'hunter2' });
  expect(settings.authReturnTo).toEqual([
    { origin: 'https://example.com', path: '/account' },
    { origin: 'http://localhost:3000', path: '' },
  ]);
  expect(JSON.stringify(settings.given)).not.toContain('hunter2');
});

describe('rejected', () => {
  const id = 'client_id = "id"\n';
  test.each([
    ['kind = "google"', 'client_id is a text'],
    [id, 'kind is one of google, microsoft, github, oidc'],
    [`${id}kind = "oidc"`, 'issuer is the address'],
    [`${id}kind = "oidc"\nissuer = "http://id.example.com"`, 'by https:'],
    [`${id}kind = "oidc"\nissuer = "https://u:p@id.example.com"`, 'issuer is the address'],
    [`${id}kind = "google"\nissuer = "https://evil.example.com"`, 'Google has one issuer'],
    [`${id}kind = "microsoft"\nissuer = "https://login.microsoftonline.com/consumers/v2.0"`, 'in place of consumers'],
    [`${id}kind = "google"\nclient_secret = "hunter2"`, 'the secret belongs into RECTO_AUTH_MAIN_SECRET'],
    [`${id}kind = "google"\ncolour = "red"`, '"colour" is no option'],
    [`${id}kind = "google"\nregistration = "yes"`, 'registration is true or false'],
    [`${id}kind = "google"\nscopes = ["email"]`, 'scopes must have openid'],
    [`${id}kind = "google"\ndomains = "example.com"`, 'domains is a list'],
    [`${id}kind = "google"\nallow_admin = true`, 'need role_claim'],
    [`${id}kind = "google"\nrole_claim = "groups"`, 'roles is a table'],
    [`${id}kind = "google"\nrole_claim = "groups"\nroles = { a = "No role" }`, 'roles has the names of roles'],
    [`${id}kind = "google"\nrole_claim = "groups"\nroles = { a = "admin" }`, 'need allow_admin = true'],
    [`${id}kind = "github"\nrole_claim = "groups"\nroles = { a = "editor" }`, 'GitHub has no claims'],
    [`${id}kind = "github"\ntrusts_mfa = true`, 'GitHub says nothing of second factors'],
  ])('%j', (options, says) => {
    const text = refusal(options);
    expect(text).toContain(says);
    expect(text).not.toContain('hunter2');
  });

  test('what a provider needs besides its table', () => {
    const toml = '[auth.providers.main]\nkind = "google"\nclient_id = "id"';
    expect(() => read(toml, url)).toThrow('[auth.providers.main] needs its client secret in RECTO_AUTH_MAIN_SECRET');
    const secret = { RECTO_AUTH_MAIN_SECRET: 'hunter2' };
    expect(() => read(toml, secret)).toThrow('[auth.providers] needs RECTO_URL');
    expect(() => read(toml, { ...secret, RECTO_URL: 'http://cms.example.com' })).toThrow('a RECTO_URL by https:');
    expect(() => read(toml, { ...secret, ...url, RECTO_AUTH_MIAN_SECRET: 'x' })).toThrow(
      'did you mean RECTO_AUTH_MAIN',
    );
    expect(() => read('[auth.provider.main]\nkind = "google"', url)).toThrow('auth.provider: there is no such setting');
  });
});
