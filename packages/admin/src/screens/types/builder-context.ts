import { getContext, setContext } from 'svelte';

/** What every control of the builder needs to know, however deep it stands. */
export interface Builder {
  /** The type cannot be changed here. */
  readonly isLocked: boolean;
  /** The fields at the top, for those that name another one. */
  readonly fieldNames: readonly string[];
  /** The fields that the protocols of the type have added to it. */
  readonly protocolFields: readonly string[];
  /** Content types that a relation can lead to. */
  readonly targets: readonly { readonly value: string; readonly label: string }[];
  /** The error at a path such as `fields[2].max_length`. */
  errorAt(path: string): string | undefined;
  /** What the control of a path gets. */
  control(path: string): ControlProps;
  /** Whether there is an error at a path or inside of it. */
  hasErrorIn(path: string): boolean;
  /** A part was added at a path: its errors wait until its controls have been left. */
  begin(path: string): void;
  /** Parts were removed or moved, or somebody is done with them: no error waits any longer. */
  settle(): void;
  /** What an offer to undo a step runs: nothing where the draft has begun anew since. */
  undo(step: () => void): () => void;
  /** The path that is looked for: lists open what holds it. */
  readonly revealed: string | undefined;
}

export interface ControlProps {
  readonly error: string | undefined;
  readonly disabled: boolean;
  /** By which errors lead to it. */
  readonly 'data-path': string;
}

const key = Symbol('builder');

export const provideBuilder = (builder: Builder): Builder => setContext(key, builder);
export const useBuilder = (): Builder => getContext<Builder>(key);
