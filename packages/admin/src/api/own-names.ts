import { names } from '../text/en/names.ts';
import { t } from '../text/text.ts';
import type { ContentTypeInfo } from './content-type-info.ts';
import { readableName, readableValue } from './readable-name.ts';
import { readerText } from './reader-text.ts';

/** Names of what comes with the product, in the language of the reader. What others have named is called as they call it. */
const isOwn = (key: string): key is keyof typeof names => Object.hasOwn(names, key);

const ownName = (key: string): string | undefined => (isOwn(key) ? t(`names.${key}`) : undefined);

/** What people read for a status: what its type calls it, else the product's word for it. */
export const statusLabel = (status: string, type?: TypeWithValues): string =>
  (type && readerText(valueLabels(type, 'status')?.[status])) ??
  ownName(`status.${status.toLowerCase()}`) ??
  readableValue(status);

/** What is read of a type for the texts of values. */
export interface TypeWithValues {
  readonly definition: {
    readonly protocols?: readonly unknown[];
    readonly fields?: readonly { readonly name: string; readonly [option: string]: unknown }[];
  };
}

/** The texts that a type has for the values of a field or for its statuses. */
export function valueLabels(
  { definition: { fields = [], protocols = [] } }: TypeWithValues,
  name: string,
): ValueLabels | undefined {
  const declared = fields.find((field) => field.name === name);
  const labels =
    declared === undefined && name === 'status'
      ? protocols.map((each) => Object(each)).find((each) => each.name === 'statusable')?.value_labels
      : declared?.value_labels;
  return isValueLabels(labels) ? labels : undefined;
}

export type ValueLabels = Readonly<Record<string, unknown>>;

const isValueLabels = (labels: unknown): labels is ValueLabels => typeof labels === 'object' && labels !== null;

/**
 * A type as its reader calls it: a built-in one by its names in the language of the reader, unless a definition has given it others; one
 * without a name by its singular, written as words.
 */
export function inReadersWords(type: ContentTypeInfo): ContentTypeInfo {
  const { source, singular, name, definition } = type;
  const label = readerText(definition.admin?.label);
  const several = readerText(definition.admin?.plural_label);
  if (label !== undefined || several !== undefined)
    return { ...type, name: label ?? (name === singular ? readableName(singular) : name), pluralName: several };
  if (source !== 'built_in') return name === singular ? { ...type, name: readableName(singular) } : type;
  const { description } = definition;
  const own = {
    name: inEnglish(`type.${singular}`) === name ? ownName(`type.${singular}`) : undefined,
    description: inEnglish(`about.${singular}`) === description ? ownName(`about.${singular}`) : undefined,
  };
  if ((own.name ?? name) === name && (own.description ?? description) === description) return type;
  return {
    ...type,
    name: own.name ?? name,
    definition: own.description === undefined ? definition : { ...definition, description: own.description },
  };
}

const inEnglish = (key: string): string | undefined => (isOwn(key) ? names[key] : undefined);

/** What several records of a built-in type are called; undefined of other types, and of one that has another name. */
export function ownPlural(singular: string, name: string): string | undefined {
  const isNamedSo = name === ownName(`type.${singular}`) || name === inEnglish(`type.${singular}`);
  return isNamedSo ? ownName(`several.${singular}`) : undefined;
}
