import type { ContentType } from '../../definition/content-type.ts';

/**
 * `Article` for `article`: the stem of a type's names in the OpenAPI document. Hyphens become capitals and underscores
 * stay, so that no two types share it; every name made of it has a suffix, so that none meets a name of other routes.
 */
export const schemaName = ({ singular }: ContentType): string =>
  singular
    .replace(
      /(^|-|_)([a-z])/g,
      (_, before: string, letter: string) => `${before.replace('-', '')}${letter.toUpperCase()}`,
    )
    .replaceAll('-', '__');
