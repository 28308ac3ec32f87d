import type { ContentTypeInfo } from './content-type-info.ts';
import type { Permissions } from './permissions.svelte.ts';

/** A content type as a role has it: its fields are those that the role reads, and what it may not do is not offered. */
export function permittedType(type: ContentTypeInfo, limits: Permissions | undefined): ContentTypeInfo {
  if (limits === undefined) return type;
  const rights = limits.types[type.singular];
  const may = (action: 'create' | 'update' | 'delete' | 'publish'): boolean =>
    rights !== undefined && rights[action] !== 'none';
  const read = new Set(rights?.read);
  const write = new Set(rights?.write);
  return {
    ...type,
    writesIn: rights?.languages,
    fields: type.fields
      .filter(({ name }) => read.has(name))
      .map((field) => (write.has(field.name) ? field : { ...field, writable: false })),
    may: {
      create: type.may.create && may('create'),
      update: type.may.update && may('update'),
      delete: type.may.delete && may('delete'),
      define: false,
      publish: may('publish'),
    },
  };
}
