import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The recipes of docs/preview.md, run as they are written. Of the frameworks, they get the few functions that they import: installed as a whole they
// want a newer Node than the tests have.

const root = join(import.meta.dir, '../..');
const text = readFileSync(join(root, 'docs/preview.md'), 'utf8');
const recipes = new Map(
  [...text.matchAll(/^```ts recipe=(\w+)\n(.*?)^```$/gms)].map(([, name = '', code = '']) => [name, code]),
);

/** Cookies and answers as each framework has them. */
const stubs: Readonly<Record<string, string>> = {
  'next/headers': `export const jar = new Map(); export const draft = { isEnabled: false, enable() { this.isEnabled = true; } };
    export const cookies = async () => ({ set: (name, value, options) => jar.set(name, { value, ...options }) });
    export const draftMode = async () => draft;`,
  '@sveltejs/kit': `export const redirect = (status, location) => { throw { status, location }; };`,
  '@recto/client': `export const createReader = (options) => options;`,
  h3: `export const defineEventHandler = (handler) => handler;
    export const getRequestURL = (event) => event.url; export const readRawBody = async (event) => event.body;
    export const setHeader = (event, name, value) => event.headers.set(name, value);
    export const setCookie = (event, name, value, options) => event.jar.set(name, { value, ...options });
    export const sendRedirect = (event, location, status) => ({ status, location });`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recto-recipes-'));
  for (const [name, code] of Object.entries(stubs)) {
    const at = join(folder, 'node_modules', name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name, type: 'module', main: 'index.js' }));
    writeFileSync(join(at, 'index.js'), code);
  }
  for (const [name, code] of recipes) writeFileSync(join(folder, `${name}.ts`), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

const load = (name: string) => import(join(folder, `${name}.ts`));
const address = 'https://example.com/preview?slug=a%20b';
const posted = () => new Request(address, { method: 'POST', body: 'rpt_x' });

/** The page hands over what stands behind the #, to its own address, and goes where that leads. */
function expectPage(html: string): void {
  expect(html).toContain("fetch('', { method: 'POST', body: location.hash.slice(1) })");
  expect(html).toContain('location.replace(url)');
}

test('there is a recipe for each', () => {
  expect([...recipes.keys()]).toEqual(['astro', 'next', 'sveltekit', 'nuxt']);
});

describe('the recipe', () => {
  test('for Astro keeps the token in a cookie and goes on', async () => {
    const { GET, POST } = await load('astro');
    expectPage(await GET().text());
    const set: unknown[] = [];
    const context = {
      request: posted(),
      url: new URL(address),
      cookies: { set: (...all: readonly unknown[]) => set.push(...all) },
      redirect: (to: string, status: number) => ({ to, status }),
    };
    expect(await POST(context)).toEqual({ to: '/posts/a%20b', status: 303 });
    expect(set).toEqual(['preview', 'rpt_x', { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 3600 }]);
  });

  test('for Next.js begins the draft mode', async () => {
    const { GET, POST } = await load('next');
    expectPage(await GET().text());
    const answer: Response = await POST(posted());
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/posts/a%20b']);
    const { jar, draft } = await import(join(folder, 'node_modules/next/headers/index.js'));
    expect(draft.isEnabled).toBe(true);
    expect(jar.get('preview')).toMatchObject({ value: 'rpt_x', httpOnly: true });
  });

  test('for SvelteKit gives pages a reader with the token', async () => {
    const { handle } = await load('sveltekit');
    const jar = new Map<string, string>();
    const cookies = {
      get: (name: string) => jar.get(name),
      set: (name: string, value: string) => jar.set(name, value),
    };
    const at = (request: Request, locals: Record<string, unknown> = {}) => ({
      event: { url: new URL(request.url), request, cookies, locals },
      resolve: () => locals,
    });
    expectPage(await (await handle(at(new Request(address)))).text());
    expect(await handle(at(posted())).catch((thrown: unknown) => thrown)).toEqual({
      status: 303,
      location: '/posts/a%20b',
    });
    const { recto } = await handle(at(new Request('https://example.com/posts/x')));
    expect(recto).toEqual({ url: 'https://cms.example.com', token: 'rpt_x' });
  });

  test('for Nuxt answers its own path alone', async () => {
    const { default: handler } = await load('nuxt');
    const jar = new Map();
    const event = (method: string, url: string) => ({
      method,
      url: new URL(url),
      body: 'rpt_x',
      headers: new Headers(),
      jar,
    });
    expect(await handler(event('GET', 'https://example.com/posts/x'))).toBeUndefined();
    expectPage(await handler(event('GET', address)));
    expect(await handler(event('POST', address))).toEqual({ location: '/posts/a%20b', status: 303 });
    expect(jar.get('preview')).toMatchObject({ value: 'rpt_x', httpOnly: true });
  });
});
