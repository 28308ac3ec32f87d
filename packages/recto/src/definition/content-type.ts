import type { Rule } from '../rules/rule.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import type { Endpoint, EndpointName } from './endpoint.ts';
import type { FieldCondition } from './field-condition.ts';
import type { Field } from './field-type.ts';
import type { Languages } from './languages/languages.ts';
import type { ReadLanguage } from './languages/read-language.ts';
import type { ActiveProtocol } from './protocol.ts';
import type { Roles } from './rights/role-rights.ts';
import type { OwnRoles } from './roles/role.ts';
import type { WrittenDefinition } from './type-draft.ts';
import type { TypeFacts } from './type-facts.ts';

export * from './endpoint.ts';
export type { Field, FieldOptions, FieldPlace, MediaPlace, ShownMember } from './field-type.ts';

/** The columns of every junction table. */
export const junctionColumns = { source: 'source_id', target: 'target_id', position: 'position' } as const;

/** Which rows reads see of a type, as one of its protocols has it. */
export interface Visibility {
  /** Null: all rows. */
  readonly rule: Rule | null;
  /** Whom all other rows are hidden from. */
  readonly hiddenFrom: 'everyone' | 'public';
  /** The parameter with which admin reads ask for other rows. */
  readonly parameter: VisibilityParameter | undefined;
}

export interface VisibilityParameter {
  readonly name: string;
  readonly description: string;
  /** By the parameter's value; null: all rows. */
  readonly choices: ReadonlyMap<string, Rule | null>;
}

/** Fields whose values no two records share all of; a record without one of them is like no other. */
export type UniqueSet = readonly [Field, Field, ...Field[]];
/** What shows rows that have no rule of their own. */
export interface ShownWith {
  /** The boolean column of rows that everyone sees. */
  readonly flag: string;
  /** The column of the tenant that a row belongs to; null in it: to none. */
  readonly tenant: string;
  /** A row is also shown to whoever sees one of these records that leads to it, by a column or by a junction table. */
  readonly records: readonly (
    | { readonly type: ContentType; readonly column: string }
    | { readonly type: ContentType; readonly junction: string }
  )[];
}

/** How a content type is shown in a language but the default. */
export interface ShownIn {
  /** The type as it is stored. */
  readonly base: ContentType;
  readonly read: ReadLanguage;
}

export interface ContentType {
  readonly name: string;
  readonly singular: string;
  /** The singular under which a database that has not followed yet still holds its records. */
  readonly renamedFrom?: string;
  readonly plural: string;
  readonly description: string | undefined;
  readonly kind: 'collection' | 'single';
  /** False: the simple route mode (service specification, section 4.4). */
  readonly restful: boolean;
  readonly table: string;
  /** `id` first, then as declared, then the protocols'. */
  readonly fields: readonly Field[];
  readonly field: ReadonlyMap<string, Field>;
  readonly protocols: readonly ActiveProtocol[];
  /** Fields whose values no two records share all of; absent: none. */
  readonly uniqueSets?: readonly UniqueSet[];
  /** On what it depends whether fields are shown where people edit, each behind those that it depends on. */
  readonly conditions: readonly FieldCondition[];
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  readonly scope: RuleScope;
  /** What follows from the type, computed once. */
  readonly facts: TypeFacts;
  /** The languages that its localized fields have values in; absent: no field is localized. */
  readonly languages?: Languages;
  /** The column that keeps the records of tenants apart; null: they are everyone's. */
  readonly partition: string | null;
  /** What protocols hide from reads. */
  readonly visible: readonly Visibility[];
  /** Only rows that are shared, or that come with records that the caller sees, are shown; absent: the rules alone decide. */
  readonly shownWith?: ShownWith;
  /** The language that it is shown in; absent: the default. */
  readonly shownIn?: ShownIn;
  /** Ships with the product. */
  readonly builtIn: boolean;
  /** Has routes of its own in place of the generated ones. */
  readonly ownRoutes?: true;
  /** The name of its records in the OpenAPI document; absent: made of its singular. */
  readonly component?: string;
  /** Made through the API, and kept in the database. */
  readonly stored: boolean;
  /** The file it was read from, relative to the definitions folder, or another name of its definition's source. */
  readonly source: string;
  /** The definition that it was compiled from: plain JSON in the flat layout, with what files add to a type of the product. */
  readonly definition: WrittenDefinition;
}

/** All content types of a service, by singular name. Immutable: a change makes a new one. */
export interface ContentTypes {
  readonly all: readonly ContentType[];
  /** Also finds the profiles of accounts, which are not among `all`. Throws when there is none: only for names that the definition check has resolved. */
  get(singular: string): ContentType;
  find(singular: string): ContentType | undefined;
  /** The languages of their content. */
  readonly languages: Languages;
  /** Who may see and do what on the admin routes. */
  readonly roles: Roles;
  /** The roles of the installation's own, compiled with the types. */
  readonly ownRoles: OwnRoles;
}
