import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentName, settingKeys } from '../../packages/recto/src/config/setting-table.ts';
import { readSettings } from '../../packages/recto/src/config/settings.ts';
import { CodeFolder } from '../support/code-folder.ts';
import { TestService } from '../support/service.ts';

// The files in `deploy/`, as far as they can be checked without the systems that read them.

const text = (name: string): string => readFileSync(join(import.meta.dir, '../../deploy', name), 'utf8');
const known: ReadonlySet<string> = new Set([
  ...settingKeys.map(environmentName),
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
]);
const dockerfile = readFileSync(join(import.meta.dir, '../../Dockerfile'), 'utf8');

const files = ['recto.service', 'kubernetes.yaml', 'fly.toml', 'render.yaml'];
test.each(files)('%s sets what are settings', (name) => {
  const named = [...text(name).matchAll(/\b(?:RECTO|AWS)_[A-Z_]+\b/g)].map(([word]) => word);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((word) => !known.has(word))).toEqual([]);
});

test.each(['kubernetes.yaml', 'fly.toml', 'render.yaml'])('%s asks the probes of the service', (name) => {
  const paths = [...text(name).matchAll(/\/api\/v1\/\w+/g)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) expect(['/api/v1/healthz', '/api/v1/readyz']).toContain(path);
});

describe('values are settings that the service takes', () => {
  test('fly.toml', () => {
    const { env, http_service, mounts } = Object(Bun.TOML.parse(text('fly.toml')));
    expect(readSettings(env)).toMatchObject({ workers: 1, trustedProxies: 1 });
    expect(dockerfile).toContain(`RECTO_PORT=${http_service.internal_port} `);
    expect(dockerfile).toContain(`VOLUME ${mounts.destination}`);
  });

  test('kubernetes.yaml', () => {
    const [deployment, service] = Bun.YAML.parse(text('kubernetes.yaml')) as Record<string, never>[];
    const { containers, volumes, securityContext } = Object(deployment).spec.template.spec;
    const [container] = containers;
    const given = container.env.map(({ name, value }: { name: string; value: string }) => [name, value]);
    expect(readSettings(Object.fromEntries(given)).workers).toBe(1);
    expect(dockerfile).toContain(`USER ${securityContext.runAsUser}:${securityContext.runAsGroup}`);
    expect(dockerfile).toContain(`EXPOSE ${container.ports[0].containerPort}`);
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
    expect(mounted.toSorted()).toEqual(volumes.map(({ name }: { name: string }) => name).toSorted());
    expect(Object(service).spec.selector).toEqual(Object(deployment).spec.selector.matchLabels);
  });
});

test('nginx.conf sends only those POSTs again that the service does once', async () => {
  const pattern = /"~(\^POST [^"]+)" 1;/.exec(text('nginx.conf'))?.[1] ?? '';
  const isSentAgain = (path: string): boolean => new RegExp(pattern).test(`POST "a-key" ${path}`);
  const note = { singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] };
  using code = new CodeFolder({
    'routes/pay.ts': `import { route } from 'recto'; export default route({ method: 'POST', path: '/pay', access: 'public', handler() {} });`,
  });
  await using service = await TestService.open([note], { builtIn: true, code: code.path });
  const posts = service.operations.filter(({ method }) => method === 'POST');
  const wrong = posts.filter(({ path, once }) => isSentAgain(path) !== (once === true));
  expect(wrong.map(({ path }) => path)).toEqual([]);
  expect(posts.map(({ path }) => path)).toContain('/api/v1/x/pay');
});

const verify = Bun.which('systemd-analyze');
test.skipIf(verify === null)('systemd takes recto.service', () => {
  const { stderr, stdout } = Bun.spawnSync([
    verify ?? '',
    'verify',
    '--man=no',
    join(import.meta.dir, '../../deploy/recto.service'),
  ]);
  // The programs that it names are not installed here.
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('recto.service'));
  expect(lines.filter((line) => !line.includes('is not executable'))).toEqual([]);
});
