import type { Rule } from '../rules/rule.ts';
import type { RuleScope } from '../rules/rule-scope.ts';
import type { Endpoint, EndpointName } from './endpoint.ts';
import type { Field } from './field-type.ts';
import type { ActiveProtocol } from './protocol.ts';
import type { WrittenDefinition } from './type-draft.ts';

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
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  readonly scope: RuleScope;
  /** The column that keeps the records of tenants apart; null: they are everyone's. */
  readonly partition: string | null;
  /** What protocols hide from reads. */
  readonly visible: readonly Visibility[];
  /** Ships with the product and has routes of its own, not the generated ones. */
  readonly builtIn: boolean;
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
  /** Throws when there is none: only for names that the definition check has resolved. */
  get(singular: string): ContentType;
  find(singular: string): ContentType | undefined;
}
