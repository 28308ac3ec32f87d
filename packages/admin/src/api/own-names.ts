import { names } from '../text/en/names.ts';
import { t } from '../text/text.ts';
import type { ContentTypeInfo } from './content-type-info.ts';

/** Names of what comes with the product, in the language of the reader. What others have named is called as they call it. */
const isOwn = (key: string): key is keyof typeof names => Object.hasOwn(names, key);

const ownName = (key: string): string | undefined => (isOwn(key) ? t(`names.${key}`) : undefined);

/** What people read for a status. */
export const statusLabel = (status: string): string => ownName(`status.${status.toLowerCase()}`) ?? status;

/** A built-in type with its names in the language of the reader, unless a definition has given it others. */
export function inReadersWords(type: ContentTypeInfo): ContentTypeInfo {
  const { source, singular, name, definition } = type;
  if (source !== 'built_in') return type;
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
