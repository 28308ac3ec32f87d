import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { CopyPlace, LocalCopy, LocalStore } from './local-copy.ts';

type Key = [site: string, account: string, type: string, record: string, tab: string];

interface Schema extends DBSchema {
  copies: { key: Key; value: LocalCopy };
}

const database = 'recto-editing';
/** Pages hear here of copies that another one has removed. */
const removals = 'recto-copies';

const newestFirst = (copies: readonly LocalCopy[]): readonly LocalCopy[] => copies.toSorted((a, b) => b.at - a.at);

/** All keys that begin so: arrays of texts sort before one that goes on with an array. */
const below = (...begin: readonly string[]): IDBKeyRange => IDBKeyRange.bound([...begin], [...begin, []]);

/** Copies in the browser's IndexedDB. */
export function indexedStore(name = database): LocalStore {
  let opening: Promise<IDBPDatabase<Schema>> | undefined;
  const open = (): Promise<IDBPDatabase<Schema>> => {
    opening ??= openDB<Schema>(name, 1, {
      upgrade(made) {
        made.createObjectStore('copies', { keyPath: ['site', 'account', 'type', 'record', 'tab'] });
      },
      // Another page wants to change or remove the database.
      blocking: (_, __, event) => {
        // The event's target is the open database.
        (event.target as IDBDatabase | null)?.close();
        opening = undefined;
      },
      terminated: () => {
        opening = undefined;
      },
    }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const channel = new BroadcastChannel(removals);
  return {
    async put(copy) {
      await (await open()).put('copies', copy);
    },
    async remove({ site, account, type, record, tab }) {
      await (await open()).delete('copies', [site, account, type, record, tab]);
      channel.postMessage(null);
    },
    async copiesOf({ site, account, type, record, language }: CopyPlace) {
      const all = await (await open()).getAll('copies', below(site, account, type, record));
      return newestFirst(all.filter((copy) => copy.language === language));
    },
    async copiesOfAccount({ site, account }) {
      return newestFirst(await (await open()).getAll('copies', below(site, account)));
    },
    onRemoved(listener) {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
}
