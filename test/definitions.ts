import { checkDefinitions } from '../src/definition/check-definitions.ts';
import type { ContentTypes } from '../src/definition/content-type.ts';
import { DefinitionFaults } from '../src/definition/definition-fault.ts';

/** The content types of these definitions, written as plain objects. Throws `DefinitionFaults` when anything is wrong with them. */
export function definitionsOf(...definitions: readonly unknown[]): ContentTypes {
  const files = definitions.map((definition, index) => ({ file: `definition-${index + 1}`, definition }));
  const { types, faults } = checkDefinitions(files);
  if (faults !== undefined) throw new DefinitionFaults(faults);
  return types;
}
