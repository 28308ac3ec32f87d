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

/** What is read of a type for the names of its fields. */
interface LabellingType {
  readonly source?: string | undefined;
  /** Its texts for fields that it does not declare, by name. */
  readonly definition?: { readonly admin?: { readonly labels?: Readonly<Record<string, unknown>> } } | undefined;
}

/**
 * What people read for a field: the label of its definition, or what the type calls a field that it does not declare. Fields that come with the product have a name in the language of the reader.
 * Others are called as their definition calls them, written as words.
 */
export function fieldLabel(
  { source, definition }: LabellingType,
  { name, label, origin = 'declared' }: LabelledField,
): string {
  const written = readerText(label) ?? readerText(ownOf(definition?.admin?.labels, name));
  if (written !== undefined) return written;
  return (source === 'built_in' || origin !== 'declared') && isOwn(name) ? t(`names.${name}`) : readableName(name);
}

/** Not what every object has, such as `constructor`. */
const ownOf = (labels: Readonly<Record<string, unknown>> = {}, name: string): unknown =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;
