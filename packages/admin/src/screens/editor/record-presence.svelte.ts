import { session } from '../../app/session.svelte.ts';

/** How often the service hears that the record is open, in milliseconds. */
const everyMs = 25_000;

interface Other {
  readonly id: string;
  readonly name: string | null;
}

/**
 * Says that a record is open as long as the page is seen, and knows who else has it open. Nobody waits for it: what fails is tried again
 * the next time, and a session that has ended is asked for by what the person does next. `record` gives its type and id, `article/01a2…`; undefined for a new one. Call it while a component is set up.
 */
export function recordPresence(record: () => string | undefined): { readonly others: readonly Other[] } {
  let others = $state.raw<readonly Other[]>([]);
  // By itself: whoever names the record may read what changes at each key.
  const open = $derived(record());
  $effect(() => {
    if (open === undefined) return;
    const path = `/admin/presence/${open}`;
    const say = async (): Promise<void> => {
      if (document.hidden || session.status !== 'signed-in') return;
      try {
        const put = () => session.client.request<{ items: readonly Other[] }>('PUT', path, { background: true });
        others = (await session.inBackground(put)).items;
      } catch {
        others = [];
      }
    };
    // Gone for good, or to another tab: nobody should look for this person here.
    const leave = (): void => {
      void session.client.request('DELETE', path, { keepalive: true, background: true }).catch(() => undefined);
    };
    const onvisibility = (): void => void (document.hidden ? leave() : say());
    void say();
    const timer = setInterval(say, everyMs);
    document.addEventListener('visibilitychange', onvisibility);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onvisibility);
      others = [];
      leave();
    };
  });
  return {
    get others() {
      return others;
    },
  };
}
