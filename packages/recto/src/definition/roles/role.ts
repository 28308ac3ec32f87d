import type { Rule } from '../../rules/rule.ts';

/** What a role can be granted for a type. */
export const roleActions = ['list', 'get', 'create', 'update', 'delete', 'publish'] as const;
export type RoleAction = (typeof roleActions)[number];

/** What a role begins with: nothing beyond an account of the role `member`, or all that the role `editor` may. */
export const roleBases = ['member', 'editor'] as const;
export type RoleBase = (typeof roleBases)[number];

/** All records, none, or those for which a rule holds. */
export type Grant = boolean | Rule;

/** What a role may do with the records of one type, on admin routes. */
export type TypeGrant = Readonly<Record<RoleAction, Grant>> & {
  /** The names of the fields that it reads, `id` always among them. Every other field does not exist for it. */
  readonly read: ReadonlySet<string>;
  /** The names of the fields that it sets and changes. It reads all of them that anybody reads. */
  readonly write: ReadonlySet<string>;
  /** The tags of the languages that it writes in; null: all. */
  readonly languages: ReadonlySet<string> | null;
  /** Whether each language of a record is published by itself. */
  readonly publishesLanguages: boolean;
};

export const mediaRights = ['none', 'own', 'all'] as const;
export const commentRights = ['none', 'moderate'] as const;

/** What a role may do beside the records of content types. */
export interface RoleMay {
  /** The media library: nothing, the files that the account has uploaded, or all files. */
  readonly media: (typeof mediaRights)[number];
  readonly comments: (typeof commentRights)[number];
  /** Create, change and delete accounts. */
  readonly users: boolean;
  /** Read the event log. */
  readonly events: boolean;
  /** Make, schedule and publish releases, of what the role may change and publish. */
  readonly releases: boolean;
  /** Make links to previews, of what the role may change, for people without an account. */
  readonly share: boolean;
}

/** A role of the installation's own, checked and compiled against the content types. */
export interface CompiledRole {
  readonly name: string;
  readonly label: string;
  readonly base: RoleBase;
  /** By singular name. Every type that is served has an entry. */
  readonly types: ReadonlyMap<string, TypeGrant>;
  readonly may: RoleMay;
  /** The file it was read from, or another name of its source. */
  readonly source: string;
  /** Made through the API, and kept in the database. */
  readonly stored: boolean;
  /** As it was written, in plain JSON. */
  readonly written: WrittenRole;
}

/** The roles of the installation's own, by name. */
export interface OwnRoles {
  readonly all: readonly CompiledRole[];
  find(name: string): CompiledRole | undefined;
}

/** Fields by name: all but some, or only some. */
export interface WrittenFields {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/** A grant as it is written: yes, no, or the text of a rule. */
export type WrittenGrant = boolean | string;

export type WrittenTypeGrant = Partial<Readonly<Record<RoleAction, WrittenGrant>>> & {
  readonly read?: WrittenFields;
  readonly write?: WrittenFields;
  /** Tags of languages. */
  readonly languages?: readonly string[];
};

/** A role as it is written, without what is wrong in shape. */
export interface WrittenRole {
  readonly name?: string;
  readonly label?: string;
  readonly base?: RoleBase;
  readonly types?: Readonly<Record<string, WrittenTypeGrant>>;
  readonly may?: Partial<RoleMay>;
}

/** The table of types that have none of their own. */
export const anyType = '*';

export const ownRolesOf = (all: readonly CompiledRole[]): OwnRoles => {
  const byName = new Map(all.map((role) => [role.name, role]));
  return Object.freeze({ all: Object.freeze([...all]), find: (name: string) => byName.get(name) });
};

export const noOwnRoles: OwnRoles = ownRolesOf([]);
