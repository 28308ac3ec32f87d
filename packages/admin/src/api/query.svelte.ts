import { RectoError } from '@recto/client';
import { keepPreviousData, QueryClient, QueryObserver } from '@tanstack/query-core';
import { untrack } from 'svelte';
import { session } from '../app/session.svelte.ts';
import { problemText } from './service-text.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client of the service repeats requests by itself.
      retry: false,
      networkMode: 'always',
      staleTime: 2_000,
      // See `comeBack`.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

/**
 * A page that is looked at again shows what is there now. Nobody asked for that: of a session that has ended meanwhile there is a note,
 * and the password is asked for by what the person does next.
 */
async function comeBack(): Promise<void> {
  if (document.hidden || !(await session.goesOn())) return;
  await queries.refetchQueries({ type: 'active', stale: true }, { cancelRefetch: false });
}
document.addEventListener('visibilitychange', comeBack);
addEventListener('online', comeBack);

export interface QueryOptions<T> {
  /** Names what is loaded. Requests with equal keys are one request. */
  readonly key: readonly unknown[];
  /** `background`: nobody asked for it, see `look`. */
  readonly load: (signal: AbortSignal, background: boolean) => Promise<T>;
  /** Shows what the key before had until the new data is there. */
  readonly keepsPrevious?: boolean;
  /** Not now, such as while a value that it needs is missing. */
  readonly paused?: boolean;
  /**
   * Of one record: forgotten soon after the page is left. What is kept holds the page that asked for it, so that each record that was
   * open would stay in memory for minutes.
   */
  readonly isBrief?: boolean;
}

/** Until what is brief is forgotten, in milliseconds. */
const briefly = 5_000;

export interface Query<T> {
  readonly data: T | undefined;
  /** A `RectoError` in almost all cases; undefined when the last request succeeded. */
  readonly error: unknown;
  /** There is no data yet, and it is being loaded. */
  readonly isLoading: boolean;
  /** A request is under way, the first or a later one. */
  readonly isFetching: boolean;
  reload(): Promise<void>;
  /** Loads it again without being asked by anybody, such as after a time. */
  look(): Promise<void>;
}

/** Data of the service for a component, loaded again when `options` gives another key. Call it while a component is set up. */
export function createQuery<T>(options: () => QueryOptions<T>): Query<T> {
  let isLooking = false;
  const wanted = $derived.by(() => {
    const { key, load, keepsPrevious = false, paused = false, isBrief = false } = options();
    return queries.defaultQueryOptions<T, unknown, T, T, readonly unknown[]>({
      queryKey: key,
      queryFn: ({ signal }) => (isLooking ? session.inBackground(() => load(signal, true)) : load(signal, false)),
      enabled: !paused,
      ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
      ...(isBrief ? { gcTime: briefly } : {}),
    });
  });
  const observer = untrack(() => new QueryObserver<T, unknown, T, T, readonly unknown[]>(queries, wanted));
  let result = $state.raw(untrack(() => observer.getOptimisticResult(wanted)));
  $effect.pre(() => {
    const next = wanted;
    untrack(() => {
      observer.setOptions(next);
      result = observer.getOptimisticResult(next);
    });
  });
  // What `load` reads before its first request is nothing that this depends on: it may be what it writes.
  $effect(() =>
    untrack(() =>
      observer.subscribe((next) => {
        result = next;
      }),
    ),
  );
  return {
    get data() {
      return result.data;
    },
    get error() {
      return result.error ?? undefined;
    },
    get isLoading() {
      return result.isLoading;
    },
    get isFetching() {
      return result.isFetching;
    },
    async reload() {
      await observer.refetch();
    },
    async look() {
      if (session.status !== 'signed-in') return;
      isLooking = true;
      // The request begins before this returns.
      const looked = observer.refetch();
      isLooking = false;
      await looked;
    },
  };
}

/** Loads again what has a key that begins so: `invalidate(['list', 'posts'])`. What nobody shows is loaded when it is shown next. */
export function invalidate(keyPrefix: readonly unknown[]): void {
  const some = { queryKey: keyPrefix };
  const cache = queries.getQueryCache();
  // A first answer that is on its way may be from before the change, and would count as new.
  const first = cache.findAll({ ...some, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  for (const query of first) void query.cancel({ revert: true, silent: true });
  void queries.invalidateQueries(some);
}

const forgetters = new Set<() => void>();

/** What is kept beside the queries, such as names that were looked up, is another account's no more. */
export const whenForgotten = (forget: () => void): void => void forgetters.add(forget);

/** Forgets everything, for another account. */
export function forgetQueries(): void {
  queries.clear();
  for (const forget of forgetters) forget();
}

/** What an error says to the person, in their language where it has words for it, else in the service's. */
export const errorText = (error: unknown): string =>
  error instanceof RectoError ? problemText(error) : error instanceof Error ? error.message : String(error);
