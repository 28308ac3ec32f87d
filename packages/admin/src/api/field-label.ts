import { names } from '../text/en/names.ts';
import { t } from '../text/text.ts';
import { readableName } from './readable-name.ts';
import { readerText } from './reader-text.ts';

interface LabelledField {
  readonly name: string;
  /** `engine` and `protocol`: it comes with the product, whoever has defined the type. */
  readonly origin?: string | undefined;
  readonly label?: unknown;
}

type OwnName = keyof typeof names;
const isOwn = (name: string): name is OwnName => Object.hasOwn(names, name);

/**
 * What people read for a field: the label of its definition. Fields that come with the product have a name in the language of the reader.
 * Others are called as their definition calls them, written as words.
 */
export function fieldLabel(
  { source }: { readonly source?: string | undefined },
  { name, label, origin = 'declared' }: LabelledField,
): string {
  const written = readerText(label);
  if (written !== undefined) return written;
  return (source === 'built_in' || origin !== 'declared') && isOwn(name) ? t(`names.${name}`) : readableName(name);
}
