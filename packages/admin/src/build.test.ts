// databases: sqlite:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLoad } from '../first-load.ts';

const root = join(import.meta.dir, '..');
const folder = mkdtempSync(join(tmpdir(), 'recto-admin-'));
let html = '';

beforeAll(async () => {
  const command = ['npx', '--no-install', 'vite', 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  // As it is built to be served: the variable of the tests would leave help for developers in it.
  const env = { ...process.env, NODE_ENV: 'production' };
  const build = Bun.spawn(command, { cwd: root, env, stdout: 'pipe', stderr: 'pipe' });
  const [code, error] = await Promise.all([build.exited, new Response(build.stderr).text()]);
  if (code !== 0) throw new Error(`The admin could not be built: ${error}`);
  html = readFileSync(join(folder, 'index.html'), 'utf8');
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every script and style of the built page is a file of its own below /admin/', () => {
  const elements = [...html.matchAll(/<(script|link|style)\b([^>]*)>([^<]*)/g)];
  expect(elements.length).toBeGreaterThan(0);
  for (const [, name, attributes = '', text = ''] of elements) {
    expect([name, text.trim()]).toEqual([name, '']);
    expect(name).not.toBe('style');
    const address = /(?:src|href)="([^"]*)"/.exec(attributes)?.[1] ?? '';
    expect(address).toStartWith('/admin/');
    expect(existsSync(join(folder, address.slice('/admin/'.length)))).toBe(true);
  }
});

test('the page preloads the typeface as a file of its own, with its licence beside it', () => {
  const preloaded = /<link[^>]*rel="preload"[^>]*>/.exec(html)?.[0] ?? '';
  expect(preloaded).toMatch(/as="font"/);
  expect(preloaded).toContain('crossorigin');
  expect(readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.woff2'))).toHaveLength(3);
  expect(readFileSync(join(folder, 'typeface/OFL.txt'), 'utf8')).toContain('SIL Open Font License');
});

test('what every page needs is one script beside the entry, and one file of styles', () => {
  expect([...html.matchAll(/<link[^>]*rel="modulepreload"/g)]).toHaveLength(1);
  expect([...html.matchAll(/<link[^>]*rel="stylesheet"/g)]).toHaveLength(1);
});

test('nothing in the built page is inline or from another host', () => {
  expect(html).not.toMatch(/\son\w+=|style=|javascript:|https?:/);
  const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts)
    expect(readFileSync(join(folder, 'assets', name), 'utf8')).not.toMatch(/\bnew Function\(|\beval\(/);
});

/**
 * In bytes, gzipped, with the styles and the typeface (22,308): up to a list, none is over 131 kB, and each is close to what it is, so that
 * growth is noticed.
 */
const limits = [
  ['the page to sign in', ['src/screens/sign-in/SignIn.svelte'], 100_450],
  ['the home page', ['src/screens/home/Home.svelte'], 101_850],
  ['a list', ['src/screens/list/List.svelte'], 130_900],
  ['the form of a record', ['src/screens/editor/Editor.svelte'], 150_350],
] as const;

test.each(limits)('%s is loaded with its scripts and styles below its limit', (_, screens, limit) => {
  expect(firstLoad(folder, ...screens).bytes).toBeLessThanOrEqual(limit);
});
