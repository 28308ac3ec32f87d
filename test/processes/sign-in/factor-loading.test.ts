import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { RectoFolder } from '../../support/processes/recto-process.ts';

const program = [process.execPath, join(import.meta.dir, '../../support/processes/loaded-modules.ts')];

/** What only second factors and passkeys need. */
const factorsOnly = /node_modules\/(?:@simplewebauthn|@peculiar|@hexagon|@levischuck|otpauth|uqr)\//;

test('a start loads none of the libraries of second factors and passkeys, also where there are passkeys', async () => {
  using folder = new RectoFolder();
  for (const environment of [{}, { RECTO_URL: 'https://cms.example.com', RECTO_REQUIRE_SECOND_FACTOR: 'all' }]) {
    const { out, err } = await folder.spawn([], environment, program).ended();
    const modules: readonly string[] = JSON.parse(out.trim().split('\n')[0] ?? '[]');
    expect(modules.length, err).toBeGreaterThan(100);
    expect(modules.filter((path) => factorsOnly.test(path))).toEqual([]);
  }
});
