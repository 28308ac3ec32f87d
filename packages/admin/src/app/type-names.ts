import type { ContentTypeInfo } from '../api/content-type-info.ts';

type Named = Pick<ContentTypeInfo, 'name' | 'plural' | 'kind'>;

/**
 * What a list of a type is called. Definitions have a name for one record ("Blog post") and a plural for addresses
 * ("blog-posts"); a single type is called by its name.
 */
export function pluralName({ name, plural, kind }: Named): string {
  if (kind === 'single') return name;
  const words = plural.replaceAll(/[-_]+/g, ' ');
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
