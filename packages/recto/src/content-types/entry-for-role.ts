import type { ContentType } from '../definition/content-type.ts';
import { readableFields, readsPrivate } from '../definition/readable-fields.ts';
import { adminView } from '../definition/rights/read-view.ts';
import type { RoleRights } from '../definition/rights/role-rights.ts';
import type { WrittenField } from '../definition/type-draft.ts';
import type { TypeEntry } from './type-entry.ts';

/** An entry without the fields that a role does not read, wherever the definition names them. */
export function entryForRole(entry: TypeEntry, type: ContentType, rights: RoleRights): TypeEntry {
  const view = adminView(rights);
  const readable = new Set(readableFields(type, view).map(({ name }) => name));
  // A secret is read by nobody, and set by whoever may.
  for (const field of type.fields) if (field.type.secret && rights.of(type).writes(field)) readable.add(field.name);
  const isKnown = (name: string): boolean => readable.has(name) || !type.field.has(name);
  const { fields = [], unique, admin, protocols, ...definition } = entry.definition;
  // A condition that reads what the role does not is none to it: the field counts as shown.
  const decided = new Set(
    type.conditions.flatMap(({ field, rule }) => ([...rule.reads.fields].every(isKnown) ? [] : [field.name])),
  );
  const shown = fields
    .filter((field) => field?.name !== undefined && isKnown(field.name))
    .map((field) => (decided.has(field?.name ?? '') ? withoutCondition(field) : field));
  return {
    ...entry,
    fields: entry.fields
      .filter(({ name }) => isKnown(name))
      .map((field) => (decided.has(field.name) ? { ...field, show_if: null } : field)),
    definition: {
      ...definition,
      ...(protocols === undefined ? {} : { protocols: protocols.map((each) => protocolFor(each, isKnown)) }),
      fields: readsPrivate(view) ? shown : shown.map(withoutPrivateParts),
      ...(unique === undefined ? {} : { unique: unique.filter((set) => set?.every(isKnown)) }),
      ...(admin === undefined ? {} : { admin: hintsFor(admin, isKnown) }),
    },
  };
}

function withoutCondition(field: WrittenField | undefined): WrittenField | undefined {
  if (field === undefined) return undefined;
  const { show_if: _, ...rest } = field;
  return rest;
}

type Written = TypeEntry['definition'];
type Protocol = NonNullable<Written['protocols']>[number];

/** An option such as `field` may name what the role does not read. */
function protocolFor(protocol: Protocol, isKnown: (name: string) => boolean): Protocol {
  if (typeof protocol !== 'object' || typeof protocol.field !== 'string' || isKnown(protocol.field)) return protocol;
  const { field: _, ...options } = protocol;
  return options;
}

function hintsFor(hints: NonNullable<Written['admin']>, isKnown: (name: string) => boolean): typeof hints {
  const { title_field: title, list_columns: columns, groups, labels, ...rest } = hints;
  return {
    ...rest,
    ...(title === undefined || !isKnown(title) ? {} : { title_field: title }),
    ...(columns === undefined ? {} : { list_columns: columns.filter(isKnown) }),
    ...(labels === undefined
      ? {}
      : { labels: Object.fromEntries(Object.entries(labels).filter(([name]) => isKnown(name))) }),
    ...(groups === undefined
      ? {}
      : { groups: groups.map((group) => ({ ...group, fields: group?.fields?.filter(isKnown) ?? [] })) }),
  };
}

type Inside = Pick<WrittenField, 'fields' | 'item' | 'blocks'>;

/** A field without what is private inside it. */
function withoutPrivateParts<T extends Inside>(field: T | undefined): T | undefined {
  if (field === undefined) return undefined;
  const { fields, item, blocks } = field;
  return {
    ...field,
    ...(fields === undefined ? {} : { fields: openFields(fields) }),
    ...(item === undefined ? {} : { item: withoutPrivateParts(item) }),
    ...(blocks === undefined ? {} : { blocks: blocks.map(openBlock) }),
  };
}

type InnerFields = NonNullable<Inside['fields']>;

const openFields = (fields: InnerFields): InnerFields =>
  fields.flatMap((inner) => (inner.private === true ? [] : (withoutPrivateParts(inner) ?? [])));

const openBlock = (block: NonNullable<Inside['blocks']>[number]): typeof block =>
  block.fields === undefined ? block : { ...block, fields: openFields(block.fields) };
