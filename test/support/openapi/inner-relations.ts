import type { Field } from '../../../packages/recto/src/definition/content-type.ts';
import { linksIn } from '../../../packages/recto/src/definition/structure/inner-links.ts';

/** A value of a structured field whose relations lead to records that exist: `pick` gives the id of one of a type. */
export function withExisting(field: Field, value: unknown, pick: (target: string) => string): unknown {
  let text = JSON.stringify(value);
  for (const { id, target } of linksIn(field, value)) text = text.replaceAll(id, pick(target));
  return JSON.parse(text);
}
