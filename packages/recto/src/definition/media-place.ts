import type { FieldOptions, FieldPlace } from './content-type.ts';
import type { FieldSurroundings } from './field-surroundings.ts';
import { junctionName, refuse } from './relation-resolution.ts';
import type { WrittenField } from './type-draft.ts';

/** The fields of a file that a record shows of it, in this order. */
export const shownOfMedia = [
  'id',
  'url',
  'name',
  'mime_type',
  'width',
  'height',
  'alt',
  'focal_x',
  'focal_y',
  'placeholder',
  'variants',
] as const;

/** Where the ids of files are: in a column, or with `multiple` in a junction table. */
export function mediaPlace(
  name: string,
  target: string,
  { written, options }: { readonly written: WrittenField; readonly options: FieldOptions },
  around: FieldSurroundings,
): FieldPlace {
  const media = Object.freeze({ shows: shownOfMedia, external: options.external === true });
  if (options.multiple !== true) return { shape: 'to_one', column: name, target, media };
  if (media.external) {
    around.report('external', 'a field of several files holds no addresses', 'leave out external, or multiple');
  }
  refuse(written, ['unique', 'default', 'indexed'], 'a field of several files', around.report);
  return { shape: 'to_many', junction: junctionName(around.draft.table, name), target, media };
}
