import type { DefinitionSource } from '../../definition/definition-source.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A role that was created through the API. Times are canonical datetimes. */
export interface StoredRole {
  readonly name: string;
  readonly definition: JsonValue;
  /** Increases with each change. */
  readonly revision: number;
  /** The id of the account or API token that made the last change. */
  readonly author: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A stored role as input for the checks. */
export const storedRoleSource = ({ name, definition }: StoredRole): DefinitionSource => ({
  file: storedRoleFile(name),
  definition,
  stored: true,
});

export const storedRoleFile = (name: string): string => `the role "${name}" (created through the API)`;
