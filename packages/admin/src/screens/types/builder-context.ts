import { getContext, setContext } from 'svelte';

/** What every control of the builder needs to know, however deep it stands. */
export interface Builder {
  /** The type cannot be changed here. */
  readonly isLocked: boolean;
  /** The fields at the top, for those that name another one. */
  readonly fieldNames: readonly string[];
  /** Content types that a relation can lead to. */
  readonly targets: readonly { readonly value: string; readonly label: string }[];
  /** The error at a path such as `fields[2].max_length`. */
  errorAt(path: string): string | undefined;
  /** Whether there is an error at a path or inside of it. */
  hasErrorIn(path: string): boolean;
}

const key = Symbol('builder');

export const provideBuilder = (builder: Builder): Builder => setContext(key, builder);
export const useBuilder = (): Builder => getContext<Builder>(key);
