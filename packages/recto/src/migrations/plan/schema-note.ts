import type { Misfits } from './stored-facts.ts';

/** One difference between what is defined and what is stored, and who brings it about. */
export interface SchemaNote {
  /** By the next start itself; only when it is asked for; or not at all. */
  readonly way: 'start' | 'apply' | 'refused';
  /** The type's singular name. */
  readonly type: string;
  /** The file of its definition, where it has one. */
  readonly source?: string;
  /** A clause about the type: `field "views" becomes integer …`. */
  readonly what: string;
  /** For `refused`: a fix. */
  readonly remedy?: string;
}

/** A complete sentence, with the place in the definition. */
export function noteText({ type, source, what, remedy }: SchemaNote): string {
  const place = source === undefined ? '' : `${source}: `;
  return `${place}content type "${type}": ${what}${remedy === undefined ? '' : `; ${remedy}`}.`;
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `3 of 120 records (01a1…, 01a2…, 01a3…)`. */
export function misfitsText({ count, examples }: Misfits, all: number, noun: string): string {
  const more = count > examples.length ? ', …' : '';
  return `${count} of ${counted(all, noun)} (${examples.join(', ')}${more})`;
}
