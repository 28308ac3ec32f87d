import type { CopyPlace } from './local-copy.ts';

/** The editors of this browser that are open, in all tabs. */
export interface TabPresence {
  /** Of those editors that are open now, the names, without one's own. Undefined: this browser cannot say. */
  others(): Promise<readonly string[] | undefined>;
  /** Another tab has stored the record. */
  onSaved(listener: () => void): void;
  saved(): void;
  close(): void;
}

interface Held {
  readonly name?: string;
}

/** The part of `navigator.locks` that is needed. It is missing on pages without TLS. */
interface Locks {
  request(name: string, task: () => Promise<void>): Promise<void>;
  query(): Promise<{ readonly held?: readonly Held[] }>;
}

const prefixOf = ({ site, type, record }: Omit<CopyPlace, 'account'>): string =>
  `recto-editing ${JSON.stringify([site, type, record])} `;

/** Holds a lock while an editor is open. The browser lets go of it when the tab ends, however it ends. */
export function tabPresence(place: Omit<CopyPlace, 'account'>, tab: string): TabPresence {
  const locks: Locks | undefined = globalThis.navigator?.locks;
  const prefix = prefixOf(place);
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  void locks?.request(prefix + tab, () => closed);
  const channel = new BroadcastChannel('recto-saved');
  return {
    async others() {
      if (locks === undefined) return undefined;
      const { held = [] } = await locks.query();
      const names = held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
      return names.filter((name) => name !== tab);
    },
    onSaved(listener) {
      channel.onmessage = ({ data }) => {
        if (data === prefix) listener();
      };
    },
    saved: () => channel.postMessage(prefix),
    close() {
      close();
      channel.close();
    },
  };
}
