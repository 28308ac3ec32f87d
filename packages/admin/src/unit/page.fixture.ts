import './runes.fixture.ts';
import { runtime } from './runes.fixture.ts';

/** A request of the page to the service. */
export interface Asked {
  /** `GET /admin/comments`: below `/api/v1`. */
  readonly line: string;
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and a wrong path fails the test.
  readonly body: any;
}

/** What the service answers: a value as JSON, or a response; undefined is 404. */
export type Answer = (asked: Asked) => unknown;

const origin = 'http://recto.test';
const account = { id: 'ada', email: 'ada@example.com', role: 'admin', tenant_id: null };

/** What the modules of the admin use of a browser, where nothing is drawn. */
function browserGlobals() {
  const location = new URL(`${origin}/admin/`);
  let state: unknown = null;
  const show = (next: unknown, _: string, address?: string | URL): void => {
    state = next;
    if (address !== undefined) location.href = new URL(address, location).href;
  };
  const kept = new Map<string, string>();
  return {
    location,
    scrollY: 0,
    requestAnimationFrame: (run: (now: number) => void) => Number(setTimeout(() => run(performance.now()))),
    cancelAnimationFrame: (frame: number) => clearTimeout(frame),
    document: Object.assign(new EventTarget(), { hidden: false, activeElement: null, title: '' }),
    window: globalThis,
    history: {
      pushState: show,
      replaceState: show,
      get state() {
        return state;
      },
    },
    localStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    },
  };
}

/** A page of the admin without a browser: its modules, a service that answers as a test says, and nothing that is drawn. */
export interface UnitPage extends AsyncDisposable {
  /** In their order. */
  readonly requests: readonly Asked[];
  /** How the service answers from now on. */
  answer: Answer;
  /** Makes something that a component makes while it is set up. It ends with the page. */
  make<T>(make: () => T): T;
  /** Called when the page ends. */
  onEnd(end: () => void): void;
  /** Resolves when it holds: looked at each time that everything which could run has run. */
  until(holds: () => boolean): Promise<void>;
  /** The messages that are shown. */
  toasts(): readonly string[];
}

/** Opens a page at an address below `/admin`, of an admin who is signed in. */
export async function unitPage(path: string, answer: Answer): Promise<UnitPage> {
  const names = Object.keys(browserGlobals());
  const before = new Map([...names, 'fetch'].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(browserGlobals())))
    Object.defineProperty(globalThis, name, { ...value, configurable: true, writable: true });
  const requests: Asked[] = [];
  const page = { answer };
  const send = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(address, init);
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    const line = `${request.method} ${pathname.replace('/api/v1', '')}`;
    if (line === 'POST /auth/login') return Response.json({ access_token: 'x', expires_in: 3600, user: account });
    const asked = { line, query: searchParams, body: text === '' ? undefined : JSON.parse(text) };
    requests.push(asked);
    const found = await page.answer(asked);
    if (found instanceof Response) return found;
    return found === undefined
      ? Response.json({ code: 'not_found', detail: line }, { status: 404 })
      : Response.json(found);
  };
  Object.defineProperty(globalThis, 'fetch', { value: send, configurable: true, writable: true });
  const { session } = await import('../app/session.svelte.ts');
  const { navigate } = await import('../app/navigation.svelte.ts');
  const { toasts, dismiss } = await import('../ui/toasts.svelte.ts');
  const { forgetQueries } = await import('../api/query.svelte.ts');
  const { inComponent } = await import('./in-component.svelte.ts');
  // It is what `svelte` is in a browser.
  const { flushSync } = (await import(runtime('svelte'))) as typeof import('svelte');
  forgetQueries();
  for (const { id } of toasts.shown) dismiss(id);
  await session.signIn('ada@example.com', 'correct horse');
  navigate(path);
  const ends: (() => void)[] = [];
  return Object.assign(page, {
    requests,
    make<T>(make: () => T): T {
      const [made, end] = inComponent(make);
      ends.push(end);
      flushSync();
      return made;
    },
    onEnd: (end: () => void) => void ends.push(end),
    async until(holds: () => boolean): Promise<void> {
      for (;;) {
        flushSync();
        if (holds()) return;
        await new Promise<void>((resolve) => setTimeout(resolve));
      }
    },
    toasts: () => toasts.shown.map(({ text }) => text),
    async [Symbol.asyncDispose]() {
      for (const end of ends) end();
      // What is kept would be asked for again after a time.
      forgetQueries();
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      }
    },
  });
}
