import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentName, settingKeys } from '../../packages/recto/src/config/setting-table.ts';
import { readSettings } from '../../packages/recto/src/config/settings.ts';

const root = join(import.meta.dir, '../..');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly ipam: { readonly config: readonly { subnet: string }[] } }>>;
}

const secrets = {
  POSTGRES_PASSWORD: 'a0b1c2',
  S3_PASSWORD: 'd3e4f5',
  RECTO_SECRET: 'abcdefghijklmnopqrstuvwxyz0123456789',
};
/** The file with its variables in place; those that must be set are. */
const text = readFileSync(join(root, 'compose.yaml'), 'utf8').replaceAll(
  /\$\{(\w+):\?is not set\}/g,
  (_, name: string) => secrets[name as keyof typeof secrets],
);
// What it must look like is what the tests look at.
const { services, networks } = Bun.YAML.parse(text) as Compose;
const machines = Object.entries(services).filter(([, { build }]) => build !== undefined);

describe('compose.yaml', () => {
  const config = Bun.which('docker-compose');
  // The client alone, without an engine.
  test.skipIf(config === null)('is taken by docker-compose', () => {
    const { exitCode, stderr } = Bun.spawnSync(
      [config ?? '', '--file', join(root, 'compose.yaml'), 'config', '--quiet'],
      {
        env: { PATH: process.env.PATH ?? '', ...secrets },
      },
    );
    expect([exitCode, stderr.toString()]).toEqual([0, '']);
  });

  test.each(machines)('%s has settings that the service takes', (_, { environment = {} }) => {
    const known = [...settingKeys.map(environmentName), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    // Those without a value come from outside, if at all.
    const given = Object.entries(environment).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    const settings = readSettings(Object.fromEntries(given));
    const [{ subnet = '' } = {}] = networks.inside?.ipam.config ?? [];
    const [address, prefix] = subnet.split('/');
    expect(settings.trustedProxies).toEqual([{ address: address ?? '', prefix: Number(prefix) }]);
    const { username, password, hostname, pathname } = new URL(environment.RECTO_DATABASE_URL ?? '');
    expect(services[hostname]?.environment).toEqual({
      POSTGRES_USER: username,
      POSTGRES_DB: pathname.slice(1),
      POSTGRES_PASSWORD: password,
    });
  });

  test.each(machines)('%s keeps files in the bucket that the S3 server has', (_, { environment = {} }) => {
    const { storageUrl } = readSettings({ RECTO_STORAGE_URL: environment.RECTO_STORAGE_URL ?? '' });
    const { bucket, endpoint } = storageUrl?.kind === 's3' ? storageUrl : {};
    const host = new URL(endpoint ?? '').hostname;
    expect(services[host]?.volumes).toEqual([expect.stringMatching(new RegExp(`:/buckets/${bucket}$`))]);
    expect(services[host]?.environment).toEqual({
      ROOT_ACCESS_KEY: environment.AWS_ACCESS_KEY_ID ?? '',
      ROOT_SECRET_KEY: environment.AWS_SECRET_ACCESS_KEY ?? '',
    });
  });

  test.each(machines)('%s writes to its volumes alone, and has no rights', (_, service) => {
    expect(service).toMatchObject({
      ...{ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] },
      security_opt: ['no-new-privileges:true'],
    });
  });

  test('nginx goes to the machines, when they are ready', () => {
    const nginx = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
    const named = [...nginx.matchAll(/^ {4}server ([\w.-]+):\d+/gm)].map(([, name]) => name ?? '');
    expect(named.toSorted()).toEqual(machines.map(([name]) => name).toSorted());
    for (const name of named) expect(services.nginx?.depends_on?.[name]?.condition).toBe('service_healthy');
    expect(services.postgres?.healthcheck).toBeDefined();
  });

  test('every file that is put into a container is there', () => {
    const files = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':')[0] ?? '');
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  });

  test('all are on the network whose proxies are trusted', () => {
    for (const [name, service] of Object.entries(services))
      expect([name, service.networks]).toEqual([name, ['inside']]);
  });
});
