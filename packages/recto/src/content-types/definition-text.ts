import { parse, stringify } from 'smol-toml';
import { plainDefinition } from '../definition/plain-definition.ts';
import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';

export const definitionFormats = ['toml', 'json'] as const;
export type DefinitionFormat = (typeof definitionFormats)[number];

/** A definition as file text. */
export interface DefinitionText {
  readonly format: DefinitionFormat;
  readonly text: string;
}

/**
 * Renders a definition as file text that loads to the same definition. TOML has no null and no lone surrogates; a definition
 * that needs them is written as JSON, whatever format was requested.
 */
export function definitionText(definition: JsonValue, format: DefinitionFormat): DefinitionText {
  const said = withoutNullDefaults(definition);
  const toml = format === 'toml' ? tomlText(said) : undefined;
  if (toml !== undefined) return { format: 'toml', text: toml };
  return { format: 'json', text: `${JSON.stringify(said, null, 2)}\n` };
}

/** Whether two definitions are equivalent. */
export const sameDefinition = (a: unknown, b: unknown): boolean =>
  Bun.deepEquals(withoutNullDefaults(plain(a)), withoutNullDefaults(plain(b)));

const plain = (value: unknown): JsonValue => plainDefinition(value, () => {});

/** Undefined where TOML cannot express the definition; checked by reading it back. */
function tomlText(definition: JsonValue): string | undefined {
  try {
    const text = stringify(definition);
    return Bun.deepEquals(plain(parse(text)), definition) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A null default equals no default. */
function withoutNullDefaults(definition: JsonValue): JsonValue {
  if (!isTable(definition) || !Array.isArray(definition.fields)) return definition;
  const fields = definition.fields.map((field: JsonValue): JsonValue => {
    if (!isTable(field) || field.default !== null) return field;
    const { default: _, ...rest } = field;
    return rest;
  });
  return { ...definition, fields };
}
