import { sleep } from './transport.ts';

/** The part of `localStorage` that is needed. */
export type LockStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** For browsers without `navigator.locks`: who writes last and still finds itself there has the lock. */
export const storageLock = (storage: LockStorage, name: string) => {
  const me = `${Math.random()}`;
  const holder = (): string | false | undefined => {
    const [id, until] = `${storage.getItem(name)}`.split(' ');
    return Number(until) > Date.now() && id;
  };
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    const isTaken = async (): Promise<boolean> => {
      if (holder()) return true;
      // For 15 seconds at most: the tab may be closed.
      storage.setItem(name, `${me} ${Date.now() + 15_000}`);
      await sleep(50);
      return holder() !== me;
    };
    while (await isTaken()) await sleep(50 + Math.random() * 20);
    try {
      return await task();
    } finally {
      if (holder() === me) storage.removeItem(name);
    }
  };
};
