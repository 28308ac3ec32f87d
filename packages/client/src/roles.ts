import type { ChangeOptions, CreateOptions } from './collection.ts';
import type { AnyContent, FieldName, Page, PluralOf, SingularOf } from './content.ts';
import type { Body } from './create-client.ts';
import type { CallOptions } from './transport.ts';

/** What a role can be granted for the records of a content type. */
export type RoleAction = 'list' | 'get' | 'create' | 'update' | 'delete' | 'publish';

/** How far a right goes. `some`: a rule decides for each record. */
export type Extent = 'all' | 'some' | 'none';

/** What belongs to no content type. */
export interface OtherRights {
  readonly media: 'none' | 'own' | 'all';
  readonly comments: 'none' | 'moderate';
  readonly users: boolean;
  readonly import: boolean;
  readonly events: boolean;
  readonly releases: boolean;
}

/** The fields that a role reads, and those that it sets, which may be others: passwords are never returned. */
type ReadName<C, N extends keyof C> = FieldName<C, N, 'admin'>;
type WriteName<C, N extends keyof C> = ReadName<C, N> | (keyof Body<C, N, 'create'> & string);

/** What a caller may do with the records of one content type. */
export type TypePermissions<Read extends string = string, Write extends string = string> = Readonly<
  Record<RoleAction, Extent>
> & {
  readonly read: readonly Read[];
  readonly write: readonly Write[];
  /** Of a type with values by language: the languages that the caller writes in. */
  readonly languages?: readonly string[];
};

/** What a caller may do on the admin routes. */
export interface Permissions<C = AnyContent> {
  readonly role: string;
  /** What people see in place of the name. */
  readonly label: string;
  /** By the singulars of content types. Types that the caller has no right to are left out. */
  readonly types: {
    readonly [N in keyof C & string as SingularOf<C, N>]?: TypePermissions<ReadName<C, N>, WriteName<C, N>>;
  };
  readonly may: OtherRights;
}

/** What the caller may do with one record. */
export type RecordRight = 'update' | 'delete' | 'publish';

/** Either only these fields, or all of the base except these. */
export type GrantedFields<Field extends string = string> =
  | { readonly only: readonly Field[] }
  | { readonly except: readonly Field[] };

/** The rights of a role to one content type: all records, none, or those for which a rule holds. */
export type TypeGrant<Read extends string = string, Write extends string = string> = Readonly<
  Partial<Record<RoleAction, boolean | (string & {})>>
> & {
  readonly read?: GrantedFields<Read>;
  readonly write?: GrantedFields<Write>;
  /** The languages that the role writes in, of types with values by language; default: all. */
  readonly languages?: readonly string[];
};

/** The content of a role's file. */
export interface RoleDefinition<C = AnyContent> {
  readonly label?: string;
  /** `member` (the default): nothing beyond. `editor`: everything that an editor may, narrowed by the rest. */
  readonly base?: 'member' | 'editor';
  /** By the singulars of content types; `*`: all types without an entry of their own. */
  readonly types?: {
    readonly [N in keyof C & string as SingularOf<C, N>]?: TypeGrant<ReadName<C, N>, WriteName<C, N>>;
  } & { readonly '*'?: TypeGrant };
  readonly may?: Partial<OtherRights>;
}

/** A role of the installation's own. */
export interface Role<C = AnyContent> {
  readonly name: string;
  readonly label: string;
  readonly base: 'member' | 'editor';
  /** `file`: it belongs to the deployment, and is changed there. */
  readonly source: 'file' | 'api';
  readonly file: string | null;
  readonly revision: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  readonly definition: RoleDefinition<C> & { readonly name: string };
}

/** The roles of the installation's own, for admins. Changing them takes a recent proof of who is there. */
export interface Roles<C> {
  list(options?: CallOptions & { readonly page?: number; readonly page_size?: number }): Promise<Page<Role<C>>>;
  get(name: string, options?: CallOptions): Promise<Role<C>>;
  create(role: RoleDefinition<C> & { readonly name: string }, options?: CreateOptions): Promise<Role<C>>;
  /** Replaces a role: a right that is left out is that of its base. */
  update(name: string, role: RoleDefinition<C>, options?: Omit<ChangeOptions, 'if_match' | 'query'>): Promise<Role<C>>;
  /** 409 `role_in_use`: accounts, API tokens, providers or rules have it. */
  delete(name: string, options?: CallOptions): Promise<void>;
}

/** A part of a role's rights: `articles:read`. `write` includes reading. */
export type TokenScope<C> = `${PluralOf<C, keyof C> | 'users' | 'events' | '*'}:${'read' | 'write'}`;

/** A token for a program, without the token itself. */
export interface ApiToken<C = AnyContent> {
  readonly id: string;
  readonly name: string;
  readonly role: 'admin' | 'editor' | 'member' | (string & {});
  /** Null: all rights of the role. */
  readonly scopes: readonly TokenScope<C>[] | null;
  readonly tenant_id: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  /** Null: never. */
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** The tokens of programs, for admins. */
export interface ApiTokens<C> {
  list(options?: CallOptions & { readonly page?: number; readonly page_size?: number }): Promise<Page<ApiToken<C>>>;
  get(id: string, options?: CallOptions): Promise<ApiToken<C>>;
  /** Returns the token itself, this once. */
  create(
    token: {
      readonly name: string;
      readonly role?: 'admin' | 'editor' | 'member' | (string & {});
      readonly scopes?: readonly TokenScope<C>[] | null;
      readonly tenant_id?: string | null;
      readonly expires_at?: string | null;
    },
    options?: CallOptions,
  ): Promise<ApiToken<C> & { readonly token: string }>;
  delete(id: string, options?: CallOptions): Promise<void>;
}
