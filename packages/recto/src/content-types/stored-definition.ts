import type { DefinitionSource } from '../definition/definition-source.ts';
import { flatLayout } from '../definition/flat-layout.ts';
import { plainDefinition } from '../definition/plain-definition.ts';
import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';

/** The name whose generation goes up whenever a stored definition changes: see `Generations`. */
export const definitionsGeneration = 'recto:definitions';

/**
 * Who owns a stored definition. `api`: it is served, and changed through the API. `handover`: it was exported as a file; it is
 * served until a file defines the type, and cannot be changed. `files`: a service has started with the file.
 */
export const keepers = ['api', 'handover', 'files'] as const;
export type Keeper = (typeof keepers)[number];

/** A content type that was created through the API. Times are canonical datetimes. */
export interface StoredDefinition {
  readonly singular: string;
  readonly definition: JsonValue;
  /** Increases with each change, and continues when a deleted type is created again. */
  readonly revision: number;
  readonly keeper: Keeper;
  /** The id of the account or API token that made the last change; null: a command. */
  readonly author: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const actions = ['created', 'replaced', 'deleted', 'handed_over'] as const;

/** One change of a stored definition. */
export interface DefinitionRevision {
  readonly revision: number;
  readonly action: (typeof actions)[number];
  /** The definition from then on; null after a removal. */
  readonly definition: JsonValue;
  readonly author: string | null;
  readonly madeAt: string;
}

/** A stored definition as input for the checks. */
export const storedSource = (singular: string, definition: JsonValue): DefinitionSource => ({
  file: `${singular} (created through the API)`,
  definition,
  stored: true,
});

/** The singular name in a possibly invalid definition; undefined for none. */
export function singularOf(definition: unknown): string | undefined {
  const ignored = (): void => {};
  // The head alone: the rest may be large, and is copied by the checks.
  const head = definition === null || typeof definition !== 'object' ? [] : Object.entries(definition);
  const named = Object.fromEntries(head.filter(([name]) => name === 'singular' || name === 'content_type'));
  const { definition: flat } = flatLayout(plainDefinition(named, ignored), ignored);
  return isTable(flat) && typeof flat.singular === 'string' ? flat.singular : undefined;
}
