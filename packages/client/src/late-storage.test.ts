import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../../test/support/service.ts';
import { createClient, inStorage, type RectoError } from './index.ts';

// Browsers pass what a tab writes to `localStorage` on to the other tabs some time later: a tab can have its turn before it sees
// the tokens of the one whose turn was before.

let service: TestService;
const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
  await service.account('ada', 'admin');
  Object.defineProperty(globalThis, 'navigator', { value: { locks: new Locks() }, configurable: true });
});
afterAll(async () => {
  if (own !== undefined) Object.defineProperty(globalThis, 'navigator', own);
  await service[Symbol.asyncDispose]();
});

type Task = (lock: object | null) => unknown;

/** `navigator.locks` (https://w3c.github.io/web-locks/), as far as the client uses it. */
class Locks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(name: string, ...rest: readonly [Task] | readonly [{ ifAvailable: boolean }, Task]): Promise<unknown> {
    const [options, task] = rest.length === 1 ? [{ ifAvailable: false }, rest[0]] : rest;
    if (options.ifAvailable && this.#held.has(name)) return task(null);
    while (this.#held.has(name)) await this.#held.get(name)?.catch(() => undefined);
    const running = Promise.resolve(task({ name }));
    this.#held.set(name, running);
    return running.finally(() => this.#held.delete(name));
  }
}

/** The storage of some tabs: each sees its own writes at once, and those of others when they are delivered. */
class LateStorage {
  readonly #tabs: Map<string, string>[] = [];
  #waiting: (() => void)[] = [];

  tab() {
    const mine = new Map(this.#tabs[0]);
    this.#tabs.push(mine);
    const write = (change: (items: Map<string, string>) => void): void => {
      change(mine);
      this.#waiting.push(() => {
        for (const other of this.#tabs) if (other !== mine) change(other);
      });
    };
    return {
      getItem: (key: string) => mine.get(key) ?? null,
      setItem: (key: string, value: string) => write((items) => items.set(key, value)),
      removeItem: (key: string) => write((items) => items.delete(key)),
    };
  }

  deliver(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const pass of waiting) pass();
  }
}

const credentials = { email: 'ada@example.com', password: 'correct horse' };

describe('a tab that has its turn before it sees the new tokens', () => {
  /** Two tabs with a session that has to be renewed, and the requests for new tokens. */
  async function twoTabs(onRefresh: (count: number) => Response | undefined) {
    const shared = new LateStorage();
    const counts = { refreshes: 0 };
    const open = () => {
      const storage = shared.tab();
      const fetch = async (request: Request): Promise<Response> => {
        if (!request.url.endsWith('/auth/refresh')) return service.app.fetch(request);
        counts.refreshes += 1;
        return onRefresh(counts.refreshes) ?? service.app.fetch(request);
      };
      const client = createClient({ url: 'http://cms.test', fetch, retries: 0, session: inStorage(storage, 'late') });
      return { client, storage };
    };
    const [one, other] = [open(), open()];
    await one.client.auth.login(credentials);
    const tokens = JSON.parse(one.storage.getItem('late') ?? '');
    one.storage.setItem('late', JSON.stringify({ ...tokens, expires_at: 0 }));
    shared.deliver();
    return { one: one.client, other: other.client, shared, counts };
  }

  test('waits for them, as the old ones would end the session', async () => {
    const { one, other, shared, counts } = await twoTabs(() => undefined);
    let ended = false;
    other.auth.onEnd(() => {
      ended = true;
    });
    expect((await one.auth.me()).email).toBe(credentials.email);
    const late = other.auth.me();
    // The other one looks again and again, and sends nothing.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    shared.deliver();
    expect((await late).email).toBe(credentials.email);
    expect({ ...counts, ended }).toEqual({ refreshes: 1, ended: false });
  });

  test('uses the old ones where the first could not', async () => {
    const { one, other, counts } = await twoTabs((count) =>
      count === 1 ? Response.json({ code: 'database_busy' }, { status: 503 }) : undefined,
    );
    const error = await one.auth.me().catch((error: RectoError) => error.code);
    expect(error).toBe('database_busy');
    expect((await other.auth.me()).email).toBe(credentials.email);
    expect(counts.refreshes).toBe(2);
  });
});
