import type { ContentType } from '../definition/content-type.ts';
import { schemaName } from '../features/records/schema-name.ts';

/** The TypeScript types generated for a content type, and the suffixes of their names. */
const suffixes = {
  record: '',
  listed: 'Listed',
  created: 'Created',
  updated: 'Updated',
  admin: 'Admin',
  create: 'Create',
  update: 'Update',
  list: 'List',
  adminList: 'AdminList',
  thread: 'Thread',
} as const;

export type TypeNames = Readonly<Record<keyof typeof suffixes, string>>;

/**
 * Names for all types: `Article`, `ArticleList`, … A name that collides with that of another content type (`article-list`)
 * gets underscores. Records come first, and types in the order given, so that names depend on the definitions alone.
 */
export function typeNames(types: readonly ContentType[]): ReadonlyMap<string, TypeNames> {
  // `Content` is all types together.
  const taken = new Set(['Content']);
  const take = (wanted: string): string => {
    const name = taken.has(wanted) ? `${wanted}_` : wanted;
    if (taken.has(name)) return take(name);
    taken.add(name);
    return name;
  };
  const records = types.map((type) => [type, take(type.component ?? schemaName(type))] as const);
  return new Map(
    records.map(([{ singular, component }, record]) => {
      // What has a name of its own in the document is the same in every view.
      const named = Object.entries(suffixes).map(([part, suffix]) => [
        part,
        suffix === '' || component !== undefined ? record : take(record + suffix),
      ]);
      // One name for each entry of `suffixes`.
      return [singular, Object.fromEntries(named) as TypeNames];
    }),
  );
}
