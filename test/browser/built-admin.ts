import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '../../packages/admin');
const sources = ['src', 'account', '../client/src'];
const files = [
  'index.html',
  'account-pages.ts',
  'glob-imports.ts',
  'package.json',
  'service-worker.ts',
  'vite.config.ts',
  'svelte.config.js',
];

let building: Promise<void> | undefined;

/** Builds the admin as the service serves it, once a run and only when a source is newer than what is built. */
export function builtAdmin(): Promise<void> {
  building ??= build();
  return building;
}

async function build(): Promise<void> {
  // Test files run in several processes: one of them builds, and the others wait for it. A lock of a database ends with its process.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  using lock = new Database(join(root, 'node_modules/.cache/built-admin.db'));
  lock.run('PRAGMA busy_timeout = 600000');
  lock.run('BEGIN EXCLUSIVE');
  // The one that is built last.
  const page = join(root, 'dist/account/index.html');
  if (existsSync(page) && statSync(page).mtimeMs > newestSource()) return;
  // As it is built to be served, and not for tests.
  const env = { ...process.env, NODE_ENV: 'production' };
  const vite = Bun.spawn(['npm', 'run', '--silent', 'build'], { cwd: root, env, stdout: 'pipe', stderr: 'pipe' });
  const [code, out, error] = await Promise.all([
    vite.exited,
    new Response(vite.stdout).text(),
    new Response(vite.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`The admin could not be built:\n${out}${error}`);
}

function newestSource(): number {
  const all = [...files, ...sources.flatMap((folder) => filesIn(folder))];
  return Math.max(...all.map((file) => statSync(join(root, file)).mtimeMs));
}

const filesIn = (folder: string): readonly string[] =>
  [...new Bun.Glob('**/*').scanSync(join(root, folder))]
    .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file) && !file.startsWith('unit/'))
    .map((file) => join(folder, file));
