import type { SessionStore, Tokens } from './session.ts';
import { sleep } from './transport.ts';

/** How long a tab that refreshes keeps the others out at most, in milliseconds: it may have been closed. */
const lease = 15_000;

/**
 * A session in `localStorage` or anything like it, shared by all tabs of an origin. Scripts of the page can read it: on a site
 * with foreign scripts, use `session: 'cookie'`.
 */
export function inStorage(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, key = 'recto'): SessionStore {
  const lock = `${key}.lock`;
  const me = `${Math.random()}`;
  const holder = (): string | undefined => {
    const [id, until] = `${storage.getItem(lock)}`.split(' ');
    return Number(until) > Date.now() ? id : undefined;
  };
  return {
    name: key,
    load() {
      try {
        // Only `save` writes there; what someone else put there is no session.
        const tokens = JSON.parse(`${storage.getItem(key)}`) as Tokens | null;
        return tokens?.access_token ? tokens : null;
      } catch {
        return null;
      }
    },
    save(tokens) {
      if (tokens === null) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(tokens));
    },
    /** For browsers without `navigator.locks`: who writes last and still finds itself there has the lock. */
    async exclusive(task) {
      for (;;) {
        if (holder() === undefined) {
          storage.setItem(lock, `${me} ${Date.now() + lease}`);
          await sleep(50 + Math.random() * 20);
          if (holder() === me) break;
        }
        await sleep(20 + Math.random() * 50);
      }
      try {
        return await task();
      } finally {
        if (holder() === me) storage.removeItem(lock);
      }
    },
  };
}
