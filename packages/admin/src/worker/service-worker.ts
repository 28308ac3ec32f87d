import type { Shell } from './shell.ts';

/*
 * Keeps the files that open the admin, so that it opens without the service. It keeps no answer of the API: who somebody is and what they may
 * do is asked of the service each time.
 */

declare const shell: Shell;

/** The parts of a service worker that this file uses. TypeScript has them in a library that excludes the one of pages. */
interface WorkerScope {
  readonly location: Pick<URL, 'href' | 'origin'>;
  readonly registration: ServiceWorkerRegistration;
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
}

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent {
  readonly request: Request;
  /** The response to a request that was sent while the worker started; undefined where the browser sent none. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

// This file runs as a service worker alone, where `self` is its scope.
const worker = self as unknown as WorkerScope;

/** Every page of the admin is this file. */
const page = '/admin/';
const prefix = 'recto-admin ';
const name = prefix + shell.version;

/** The service has another address for each language, so that the texts of the one that is read are kept. */
const language = new URL(worker.location.href).searchParams.get('language') ?? '';
const texts = Object.hasOwn(shell.languages, language) ? (shell.languages[language] ?? []) : [];
const kept: ReadonlySet<string> = new Set([...shell.files, ...texts]);

worker.addEventListener('install', (event) => event.waitUntil(keepShell()));
worker.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === 'navigate') {
    if (pathname.startsWith(page)) event.respondWith(pageNow(event));
  } else if (origin === worker.location.origin && kept.has(pathname)) {
    event.respondWith(keptFile(request));
  }
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(name);
  // The page names the files of its build: an older one would name others.
  await cache.addAll([new Request(page, { cache: 'no-cache', headers: { Accept: 'text/html' } }), ...kept]);
}

/** Runs when no page of an earlier build is open any more. */
async function forgetOthers(): Promise<void> {
  for (const other of await caches.keys()) if (other.startsWith(prefix) && other !== name) await caches.delete(other);
  await worker.registration.navigationPreload?.enable();
}

/** What a proxy answers in the place of a service that it does not reach. */
const unreached: ReadonlySet<number> = new Set([502, 503, 504]);

/** The page as the service has it. Without the service, the page that is kept. */
async function pageNow({ request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    const response = (await preloadResponse) ?? (await fetch(request));
    return unreached.has(response.status) ? ((await found(page)) ?? response) : response;
  } catch (error) {
    const own = await found(page);
    if (own === undefined) throw error;
    return own;
  }
}

const keptFile = async (request: Request): Promise<Response> => (await found(request)) ?? fetch(request);

const found = async (request: Request | string): Promise<Response | undefined> => {
  const cache = await caches.open(name);
  return cache.match(request, { ignoreVary: true });
};
