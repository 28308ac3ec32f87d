import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const packages = join(import.meta.dir, '../../packages');
const imported = /^\s*(?:import|export)\b[^;']*?from '([^'\n]+)'|^\s*import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm;
/** Bare names that are no package: the runtime's own modules. */
const builtIn = /^(?:node:|bun:|bun$)/;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Imports of a package's sources that leave its folder, or that its package.json does not name. */
async function strayImports(folder: string): Promise<readonly string[]> {
  const manifest: Manifest = await Bun.file(join(folder, 'package.json')).json();
  const own = { ...manifest.dependencies, ...((await isBundled(folder)) ? manifest.devDependencies : {}) };
  const stray: string[] = [];
  for (const file of new Bun.Glob('src/**/*.{ts,svelte}').scanSync(folder)) {
    if (/\.(?:test|fixture)\.ts$/.test(file)) continue;
    const path = join(folder, file);
    for (const [, from, effect, later] of (await Bun.file(path).text()).matchAll(imported)) {
      const target = from ?? effect ?? later ?? '';
      const name = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      const known = target.startsWith('.')
        ? !relative(folder, resolve(dirname(path), target)).startsWith('..')
        : builtIn.test(target) || name in own || name === manifest.name;
      if (!known) stray.push(`${relative(packages, path)} imports ${target}`);
    }
  }
  return stray;
}

/** What is delivered is made of its sources and its development dependencies, by Vite or by `scripts/package`. */
const isBundled = async (folder: string): Promise<boolean> =>
  (await Bun.file(join(folder, 'vite.config.ts')).exists()) ||
  (await Bun.file(join(folder, 'package.json')).text()).includes('bun ../../scripts/package/');

test.each(readdirSync(packages))('%s imports only its own files and its dependencies', async (name) => {
  expect(await strayImports(join(packages, name))).toEqual([]);
});

test('the client has no dependencies, and the admin none of ours but the client', async () => {
  const client: Manifest = await Bun.file(join(packages, 'client/package.json')).json();
  expect(Object.keys(client.dependencies ?? {})).toEqual([]);
  const admin: Manifest = await Bun.file(join(packages, 'admin/package.json')).json();
  expect(Object.keys(admin.dependencies ?? {})).toEqual(['@recto/client']);
});

describe('the version', async () => {
  const root = join(packages, '..');
  const { version }: Manifest = await Bun.file(join(packages, 'recto/package.json')).json();
  const manifests = [
    'package.json',
    'website/package.json',
    ...new Bun.Glob('{packages,examples}/*/package.json').scanSync(root),
  ].toSorted();

  const isFolder = (wanted: string): boolean => wanted.startsWith('file:../../packages/');
  const hasLock = (folder: string): boolean => existsSync(join(root, folder, 'package-lock.json'));

  test('is that of the newest release in the changelog, which has a date', async () => {
    const [, newest, date] =
      /^## (.+) \((\d{4}-\d\d-\d\d)\)$/m.exec(await Bun.file(join(root, 'CHANGELOG.md')).text()) ?? [];
    expect([newest, Number.isNaN(Date.parse(date ?? ''))]).toEqual([version, false]);
  });

  test.each(manifests)('of %s is the same, and so are those of our packages that it uses', async (file) => {
    const manifest: Manifest = await Bun.file(join(root, file)).json();
    const used = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    // A folder of ours is the version that it has, which is checked too.
    const ours = used.filter(([name, wanted]) => /^(?:recto|create-recto|@recto\/.+)$/.test(name) && !isFolder(wanted));
    expect([manifest.version, ...ours.map(([, wanted]) => wanted)]).toEqual([version, ...ours.map(() => version)]);
  });

  test.each(manifests)('of %s is in its lockfile', async (file) => {
    // A folder with a lockfile of its own is no part of the workspace.
    const isRoot = hasLock(dirname(file));
    const lock: { packages: Readonly<Record<string, Manifest>> } = await Bun.file(
      join(root, isRoot ? dirname(file) : '', 'package-lock.json'),
    ).json();
    expect(lock.packages[isRoot ? '' : dirname(file)]?.version).toBe(version);
  });
});
