import { untrack } from 'svelte';

/**
 * A value that many components read. Where it comes from may be computed anew at every key that is typed: with the same result, those who
 * read it here don't hear of it.
 */
export function relayed<T>(read: () => T): () => T {
  let current = $state.raw(untrack(read));
  $effect.pre(() => {
    current = read();
  });
  return () => current;
}
