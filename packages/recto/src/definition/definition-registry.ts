import type { FieldType } from './field-type.ts';
import type { Protocol } from './protocol.ts';

/** What definitions can name: the check of definitions knows field types and protocols by this alone. */
export interface DefinitionRegistry {
  readonly fieldTypes: ReadonlyMap<string, FieldType>;
  readonly protocols: ReadonlyMap<string, Protocol>;
}

/** Throws where two have one name. */
export function definitionRegistry(parts: {
  readonly fieldTypes: readonly FieldType[];
  readonly protocols: readonly Protocol[];
}): DefinitionRegistry {
  return Object.freeze({ fieldTypes: named(parts.fieldTypes), protocols: named(parts.protocols) });
}

function named<One extends { readonly name: string }>(all: readonly One[]): ReadonlyMap<string, One> {
  const byName = new Map<string, One>();
  for (const one of all) {
    if (byName.has(one.name)) throw new Error(`Two entries of the registry have the name "${one.name}".`);
    byName.set(one.name, one);
  }
  return byName;
}
