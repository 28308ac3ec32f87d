import { session } from '../session.svelte.ts';

/** By which windows of one browser take turns, and what they call to one another. */
const name = 'recto notifications';

/**
 * Calls `listener` when there is news of the person's notifications, until the function that it returns is called. One window of a
 * browser holds the stream and passes the news on: a browser has few connections to a service, which all windows share.
 */
export function onNotificationNews(listener: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const others = new BroadcastChannel(name);
  others.onmessage = listener;
  const hold = async (): Promise<void> => {
    for await (const _ of session.client.events({ types: ['recto:notification'], signal, background: true })) {
      listener();
      others.postMessage(null);
    }
  };
  // Without locks, as on pages without TLS, the count is that of the last visit. What ends the stream is reported by the next request.
  if (navigator.locks !== undefined) void navigator.locks.request(name, { signal }, hold).catch(() => undefined);
  return () => {
    ending.abort();
    others.close();
  };
}
