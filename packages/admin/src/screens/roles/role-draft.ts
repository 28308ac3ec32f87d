import type { RecordAction } from '../../api/permissions.svelte.ts';
import { recordActions } from '../../api/permissions.svelte.ts';
import type { RoleDefinition, RoleFields, RoleTypeRights } from '../../api/role-routes.ts';

/** A right as a form has it. `base`: nothing is said of it. */
export type How = 'base' | 'all' | 'none' | 'rule';

export interface GrantDraft {
  how: How;
  rule: string;
}

export interface FieldsDraft {
  how: 'base' | 'only' | 'except';
  /** With commas, as it is typed. */
  names: string;
}

export type TypeDraft = Record<RecordAction, GrantDraft> & {
  read: FieldsDraft;
  write: FieldsDraft;
  /** Tags with commas, as they are typed; empty: all languages. */
  languages: string;
};

export interface RoleDraft {
  name: string;
  label: string;
  base: 'member' | 'editor';
  /** By singular; `*` is always there. */
  types: Record<string, TypeDraft>;
  media: 'none' | 'own' | 'all' | '';
  comments: boolean | undefined;
  users: boolean;
  events: boolean | undefined;
  releases: boolean | undefined;
  share: boolean;
}

/** The key of the rights of all types without an entry of their own. */
export const anyType = '*';

function grantDraft(grant: boolean | string | undefined): GrantDraft {
  if (grant === undefined) return { how: 'base', rule: '' };
  if (typeof grant === 'string') return { how: 'rule', rule: grant };
  return { how: grant ? 'all' : 'none', rule: '' };
}

function fieldsDraft(fields: RoleFields | undefined): FieldsDraft {
  if (fields?.only !== undefined) return { how: 'only', names: fields.only.join(', ') };
  if (fields?.except !== undefined) return { how: 'except', names: fields.except.join(', ') };
  return { how: 'base', names: '' };
}

/** The rights of a type as a form has them; without any, all are those of the base. */
export const typeDraft = (rights: RoleTypeRights = {}): TypeDraft => ({
  list: grantDraft(rights.list),
  get: grantDraft(rights.get),
  create: grantDraft(rights.create),
  update: grantDraft(rights.update),
  delete: grantDraft(rights.delete),
  publish: grantDraft(rights.publish),
  read: fieldsDraft(rights.read),
  write: fieldsDraft(rights.write),
  languages: rights.languages?.join(', ') ?? '',
});

export function roleDraft(definition: RoleDefinition | undefined): RoleDraft {
  const { name = '', label = '', base = 'member', types = {}, may = {} } = definition ?? {};
  return {
    ...{ name, label, base },
    types: {
      [anyType]: typeDraft(types[anyType]),
      ...Object.fromEntries(Object.entries(types).map(([type, rights]) => [type, typeDraft(rights)])),
    },
    media: may.media ?? '',
    comments: may.comments === undefined ? undefined : may.comments === 'moderate',
    users: may.users ?? false,
    events: may.events,
    releases: may.releases,
    share: may.share ?? true,
  };
}

function grantOf({ how, rule }: GrantDraft): boolean | string | undefined {
  switch (how) {
    case 'base':
      return undefined;
    case 'all':
      return true;
    case 'none':
      return false;
    case 'rule':
      return rule.trim();
  }
}

export const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

function fieldsOf({ how, names }: FieldsDraft): RoleFields | undefined {
  if (how === 'base') return undefined;
  return { [how]: namesIn(names) };
}

/** Members with a value. */
const said = <T extends object>(members: T): Partial<T> =>
  // True because only members are left out.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;

const rightsOf = (draft: TypeDraft): RoleTypeRights =>
  said({
    ...Object.fromEntries(recordActions.map((action) => [action, grantOf(draft[action])])),
    read: fieldsOf(draft.read),
    write: fieldsOf(draft.write),
    languages: draft.languages.trim() === '' ? undefined : namesIn(draft.languages),
  });

/** The role as it is sent. */
export function definitionOf(draft: RoleDraft): RoleDefinition {
  const types = Object.entries(draft.types)
    .map(([type, rights]) => [type, rightsOf(rights)] as const)
    // Without rights, a type of its own has those of the base and not those of all other types.
    .filter(([type, rights]) => type !== anyType || Object.keys(rights).length > 0);
  const may = said({
    media: draft.media === '' ? undefined : draft.media,
    comments: draft.comments === undefined ? undefined : draft.comments ? ('moderate' as const) : ('none' as const),
    users: draft.users ? true : undefined,
    events: draft.events,
    releases: draft.releases,
    share: draft.share ? undefined : false,
  });
  return said({
    name: draft.name.trim(),
    label: draft.label.trim() === '' ? undefined : draft.label.trim(),
    base: draft.base,
    types: types.length === 0 ? undefined : Object.fromEntries(types),
    may: Object.keys(may).length === 0 ? undefined : may,
  });
}

/** How far a right of a role goes, what its base says included. */
export function extentOf(definition: RoleDefinition, type: string, action: RecordAction): 'all' | 'some' | 'none' {
  const rights = definition.types?.[type] ?? definition.types?.[anyType];
  const grant = rights?.[action] ?? definition.base === 'editor';
  return typeof grant === 'string' ? 'some' : grant ? 'all' : 'none';
}

/** Whether there is anything for a role in the admin. `types`: the singulars of those whose rights are by type. */
export function opensAdmin(definition: RoleDefinition, types: readonly string[]): boolean {
  const { base, may = {} } = definition;
  const isEditor = base === 'editor';
  const ofMay = [
    (may.media ?? (isEditor ? 'all' : 'none')) !== 'none',
    (may.comments ?? (isEditor ? 'moderate' : 'none')) !== 'none',
    may.users ?? false,
    may.events ?? isEditor,
    may.releases ?? isEditor,
  ];
  return (
    ofMay.includes(true) ||
    types.some((type) => recordActions.some((action) => extentOf(definition, type, action) !== 'none'))
  );
}
