import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PackageName, PackedPackages, whyNotPacked } from '../support/processes/packed.ts';
import { RectoFolder, RectoProcess } from '../support/processes/recto-process.ts';

// What a registry would get, and what it does in a folder that has never seen the repository.

const root = join(import.meta.dir, '../..');
const reason = await whyNotPacked();

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: object;
  readonly publishConfig?: object;
}

/** Every file of a package is one of these. */
const allowed: Readonly<Record<PackageName, RegExp>> = {
  recto:
    /^(?:package\.json|README\.md|LICENSE|THIRD-PARTY-LICENSES\.md|bin\/(?:recto|bunfig\.toml)|dist\/(?:(?:index|[\w-]+\.worker|chunk-\w+)\.js|(?:main|part-[\w-]+)\.js(?:\.jsc)?|admin\/(?:account\/)?(?:[\w-]+\.\w+(?:\.br|\.gz)?|assets\/[\w.-]+)|types\/[\w/-]+\.d\.ts)|docs\/(?:[a-z-]+\/)?[\w-]+\.md)$/,
  client: /^(?:package\.json|README\.md|LICENSE|dist\/[\w-]+\.(?:js|d\.ts))$/,
  'create-recto': /^(?:package\.json|README\.md|LICENSE|dist\/main\.js)$/,
};
const needed: Readonly<Record<PackageName, readonly string[]>> = {
  recto: [
    ...['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.md', 'bin/recto', 'bin/bunfig.toml', 'package.json'],
    ...['dist/main.js', 'dist/main.js.jsc', 'dist/index.js', 'dist/sqlite-thread.worker.js'],
    'dist/hook-thread.worker.js',
    ...['dist/admin/index.html', 'dist/types/index.d.ts'],
    ...['docs/getting-started.md', 'docs/protocols/README.md'],
  ],
  client: ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'],
  'create-recto': ['LICENSE', 'README.md', 'package.json', 'dist/main.js'],
};
const names = ['recto', 'client', 'create-recto'] as const;

describe.skipIf(reason !== undefined)(`packages${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  let packed: PackedPackages;
  let folder: RectoFolder;
  let unpacked: Readonly<Record<PackageName, string>>;
  beforeAll(() => {
    packed = new PackedPackages();
    folder = new RectoFolder();
    const unpack = (name: PackageName): string => packed.unpack(name, join(folder.path, 'unpacked', name));
    unpacked = { recto: unpack('recto'), client: unpack('client'), 'create-recto': unpack('create-recto') };
  }, 600_000);
  afterAll(() => {
    folder[Symbol.dispose]();
    packed[Symbol.dispose]();
  });
  const manifestOf = (name: PackageName): Manifest =>
    JSON.parse(readFileSync(join(unpacked[name], 'package.json'), 'utf8'));

  test.each(names)('%s has its files and no others', (name) => {
    const { files } = packed.get(name);
    expect(files.filter((file) => !allowed[name].test(file))).toEqual([]);
    expect(needed[name].filter((file) => !files.includes(file))).toEqual([]);
  });

  test.each(names)('%s runs nothing when it is installed, and names exact versions', (name) => {
    const { scripts = {}, dependencies = {}, peerDependencies, license, publishConfig, version } = manifestOf(name);
    expect(Object.keys(scripts).filter((script) => /install|^prepare$/.test(script))).toEqual([]);
    expect(Object.values(dependencies).filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    expect(peerDependencies).toBeUndefined();
    expect([license, publishConfig]).toEqual(['MIT', { access: 'public', provenance: true }]);
    expect(version).toBe(manifestOf('recto').version);
    expect(readFileSync(join(unpacked[name], 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });

  test('only the service has dependencies: the runtime, images, and types', () => {
    expect(Object.keys(manifestOf('recto').dependencies ?? {})).toEqual(['bun', 'kysely', 'sharp', 'typebox']);
    for (const name of ['client', 'create-recto'] as const) expect(manifestOf(name).dependencies).toBeUndefined();
  });

  test('every part of the command can be read, and has all that it exports', () => {
    const dist = join(unpacked.recto, 'dist');
    const parts = readdirSync(dist).filter((file) => /^part-.*\.js$/.test(file));
    expect(parts.length).toBeGreaterThan(10);
    const script = `for (const part of ${JSON.stringify(parts)}) {
      for (const [name, value] of Object.entries(require(${JSON.stringify(dist)} + '/' + part)))
        if (value === undefined) console.log(part, name);
    }
    process.exit(0);`;
    const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, '-e', script]);
    expect([stdout.toString(), stderr.toString(), exitCode]).toEqual(['', '', 0]);
  });

  test('the built service imports its own files, the runtime and its dependencies', () => {
    const dist = join(unpacked.recto, 'dist');
    const transpiler = new Bun.Transpiler({ loader: 'js' });
    const imports = readdirSync(dist)
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => transpiler.scanImports(readFileSync(join(dist, name), 'utf8').replace(/^#!.*/, '')))
      .map(({ path }) => path);
    const dependencies = Object.keys(manifestOf('recto').dependencies ?? {});
    const strange = imports.filter((path) => !/^(?:\.\/|node:|bun:|bun$)/.test(path) && !dependencies.includes(path));
    expect([...new Set(strange)].filter((path) => !isBuiltIn(path))).toEqual([]);
  });

  test('the documentation is there, and links to its own pages alone', () => {
    const docs = packed.get('recto').files.filter((file) => file.startsWith('docs/'));
    const dead = docs.flatMap((file) => {
      const page = join(unpacked.recto, file);
      return [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .filter(([, target = '']) => !existsSync(join(dirname(page), target)))
        .map(([, target]) => `${file}: ${target}`);
    });
    expect(dead).toEqual([]);
    const named = readFileSync(join(unpacked.recto, 'README.md'), 'utf8').match(/docs\/[\w-]+\.md/g) ?? [];
    expect(named.filter((file) => !docs.includes(file))).toEqual([]);
    expect(readFileSync(join(unpacked.client, 'README.md'), 'utf8')).not.toMatch(/\]\((?!https?:)/);
  });

  test('libvips and its licence are named', () => {
    const text = readFileSync(join(unpacked.recto, 'THIRD-PARTY-LICENSES.md'), 'utf8');
    expect(text).toMatch(/libvips.*LGPL-3\.0-or-later/);
    for (const name of ['hono', 'pino', 'sanitize-html', 'svelte']) expect(text).toContain(`${name} `);
  });

  describe('a project', () => {
    let project: string;
    const inProject = (command: readonly string[]): RectoProcess => new RectoProcess(command, project, {});
    beforeAll(async () => {
      const create = ['node', join(unpacked['create-recto'], 'dist/main.js'), 'my-site', '--no-install'];
      const { exitCode, err } = await new RectoProcess([...create, '-t', 'magazine'], folder.path, {}).ended();
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      project = join(folder.path, 'my-site');
      await packed.install(project);
    }, 600_000);

    test('is valid', async () => {
      const { exitCode, out } = await inProject(['node', 'node_modules/.bin/recto', 'check']).ended();
      expect([exitCode, out]).toEqual([0, expect.stringContaining('3 content types')]);
      using wrong = new RectoFolder({ 'wrong.toml': 'singular = 1\n', 'wrong.json': '{"singular": ' });
      const recto = ['node', join(project, 'node_modules/.bin/recto')];
      const { err } = await wrong.spawn(['check'], {}, recto).ended();
      expect(err).toMatch(/wrong\.json:1:14: [\s\S]*wrong\.toml:1 /);
    }, 600_000);

    test.each(['1', '2'])(
      'starts with %s workers, answers, and stops in order',
      async (workers) => {
        const service = inProject(['node', 'node_modules/.bin/recto', 'start', '--workers', workers]);
        const url = await service.url();
        // A search runs in a thread, whose program is a file of its own.
        const list = await fetch(`${url}/api/v1/cms/articles?search=paper`);
        expect([list.status, await list.json()]).toEqual([200, { items: [], total: 0, page: 1, page_size: 20 }]);
        const document: { info: { version: string } } = JSON.parse(
          await (await fetch(`${url}/api/v1/openapi.json`)).text(),
        );
        expect(document.info.version).toBe(manifestOf('recto').version);
        expect(await summaryOf(url, `writer-${workers}@example.com`)).toBe('Paper is made of pulp.');
        service.kill('SIGTERM');
        expect((await service.ended()).exitCode).toBe(0);
      },
      600_000,
    );

    test('has types for its content, its definitions and the service', async () => {
      for (const [kind, file] of [
        ['--client', 'content.ts'],
        ['--hooks', 'recto.d.ts'],
      ] as const) {
        const types = ['node', 'node_modules/.bin/recto', 'types', kind, '--out', file];
        expect((await inProject(types).ended()).exitCode).toBe(0);
      }
      writeFileSync(
        join(project, 'uses.ts'),
        `import { createRecto, defineContentType, hooks, type Recto } from 'recto';
        const note = defineContentType({ singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] });
        export const recto: Promise<Recto> = createRecto({ definitions: [note], settings: { port: 0 } });
        // @ts-expect-error: there is no such option
        export const wrong = createRecto({ definitons: [note] });
        hooks('article', {
          check({ record }) {
            record.summary = record.title;
            // @ts-expect-error: there is no such field
            record.sumary = record.title;
          },
        });\n`,
      );
      const { out } = await inProject([join(root, 'node_modules/.bin/tsc'), '-p', '.']).ended();
      expect(out).toBe('');
    }, 600_000);
  });
});

/** The summary of a new article that was sent without one: the hook of the project makes it. */
async function summaryOf(url: string, email: string): Promise<unknown> {
  const post = async (path: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await response.text());
  };
  const { access_token: token } = await post('auth/register', { email, password: 'a long password' });
  const article = { title: 'Paper', body: '<p>Paper is made\nof <b>pulp</b>.</p>' };
  return (await post('cms/articles', article, String(token))).summary;
}

const isBuiltIn = (path: string): boolean => require('node:module').builtinModules.includes(path);
