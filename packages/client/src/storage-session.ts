import type { SessionStore, Tokens } from './session.ts';
import { type LockStorage, storageLock } from './storage-lock.ts';

/**
 * A session in `localStorage` or anything like it, shared by all tabs of an origin. Scripts of the page can read it: on a site
 * with foreign scripts, use `session: 'cookie'`.
 */
export function inStorage(storage: LockStorage, key = 'recto'): SessionStore {
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
    exclusive: storageLock(storage, `${key}.lock`),
  };
}
