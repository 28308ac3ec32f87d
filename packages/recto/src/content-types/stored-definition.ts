import type { DefinitionSource } from '../definition/definition-source.ts';
import { flatLayout, isTable } from '../definition/flat-layout.ts';
import { plainDefinition } from '../definition/plain-definition.ts';
import type { JsonValue } from '../values/value-kind.ts';

/** The name whose generation goes up whenever a stored definition changes: see `Generations`. */
export const definitionsGeneration = 'recto:definitions';

/**
 * Who keeps a stored definition. `api`: it is served, and changed through the API. `handover`: it was written out as a file;
 * it is served where no file defines the type yet, and changed nowhere. `files`: a service has started with the file.
 */
export const keepers = ['api', 'handover', 'files'] as const;
export type Keeper = (typeof keepers)[number];

/** A content type that was made through the API. Times are canonical datetimes. */
export interface StoredDefinition {
  readonly singular: string;
  readonly definition: JsonValue;
  /** Counts up with each change, and goes on when a type is made again. */
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
  /** As it was from then on; null after a removal. */
  readonly definition: JsonValue;
  readonly author: string | null;
  readonly madeAt: string;
}

/** A stored definition as the check takes it. */
export const storedSource = (singular: string, definition: JsonValue): DefinitionSource => ({
  file: `${singular} (made through the API)`,
  definition,
  stored: true,
});

/** The name that a definition gives its type, whatever else is wrong with it; undefined for none. */
export function singularOf(definition: unknown): string | undefined {
  const ignored = (): void => {};
  // The head alone: the rest may be large, and is copied when it is checked.
  const head = definition === null || typeof definition !== 'object' ? [] : Object.entries(definition);
  const named = Object.fromEntries(head.filter(([name]) => name === 'singular' || name === 'content_type'));
  const { definition: flat } = flatLayout(plainDefinition(named, ignored), ignored);
  return isTable(flat) && typeof flat.singular === 'string' ? flat.singular : undefined;
}
