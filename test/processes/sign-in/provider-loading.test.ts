import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { RectoFolder } from '../../support/processes/recto-process.ts';

const program = [process.execPath, join(import.meta.dir, '../../support/processes/loaded-provider-modules.ts')];

/** What only a sign-in by a provider needs. */
const providersOnly =
  /node_modules\/oauth4webapi\/|\/auth\/providers\/(?:oidc|github)-protocol|\/auth\/providers\/identity-of-claims/;

test('a start loads nothing of what speaks with providers, and the first sign-in does', async () => {
  using folder = new RectoFolder();
  const provider = { kind: 'github', client_id: 'recto' };
  const configured = {
    RECTO_URL: 'https://cms.example.com',
    RECTO_AUTH_PROVIDERS: JSON.stringify({ main: provider }),
    RECTO_AUTH_MAIN_SECRET: 'a secret',
  };
  for (const environment of [{}, configured]) {
    const { out, err } = await folder.spawn([], environment, program).ended();
    const [started = '[]', asked = '[]'] = out.trim().split('\n');
    const modules: readonly string[] = JSON.parse(started);
    expect(modules.length, err).toBeGreaterThan(100);
    expect(modules.filter((path) => providersOnly.test(path))).toEqual([]);
    const after: readonly string[] = JSON.parse(asked);
    expect(after.filter((path) => providersOnly.test(path)).length).toBe(environment === configured ? 3 : 0);
  }
});
