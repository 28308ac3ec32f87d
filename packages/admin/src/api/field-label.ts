import { names } from '../text/en/names.ts';
import { t } from '../text/text.ts';

interface LabelledField {
  readonly name: string;
  readonly label?: unknown;
}

type OwnName = keyof typeof names;
const isOwn = (name: string): name is OwnName => Object.hasOwn(names, name);

/**
 * What people read for a field: the label of its definition. Fields of the product's own types have a name in the language of the reader.
 * Others are called as their definition calls them, which is how its authors know them.
 */
export function fieldLabel(
  { source }: { readonly source?: string | undefined },
  { name, label }: LabelledField,
): string {
  if (typeof label === 'string' && label !== '') return label;
  return source === 'built_in' && isOwn(name) ? t(`names.${name}`) : name;
}
