import { contentTypes } from '../../../api/content-types.svelte.ts';
import { pluralName } from '../../../app/type-names.ts';

/** The content types to choose from; `none` is what no choice means. */
export const typeOptions = (none: string): { readonly value: string; readonly label: string }[] => [
  { value: '', label: none },
  ...contentTypes.all.map((one) => ({ value: one.singular, label: pluralName(one) })),
];
