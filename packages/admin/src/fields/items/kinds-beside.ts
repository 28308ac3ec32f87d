import { getContext, setContext } from 'svelte';
import type { ItemKind } from './item-kind.ts';

/** What can be added behind the item of a list that a control is in. Its members are reactive. */
export interface KindsBeside {
  /** None where the list is full. */
  readonly kinds: readonly ItemKind[];
  /** Adds an item behind, which gets the focus. */
  add(kind: ItemKind): void;
}

const key = Symbol('kinds beside');

/** Undefined: what is inside is in no list, such as the form of another record. */
export const provideKindsBeside = (beside: KindsBeside | undefined): void => void setContext(key, beside);

/** Undefined: the control is in no list. */
export const useKindsBeside = (): KindsBeside | undefined => getContext<KindsBeside | undefined>(key);
