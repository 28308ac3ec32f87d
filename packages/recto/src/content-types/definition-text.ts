import { parse, stringify } from 'smol-toml';
import { isTable } from '../definition/flat-layout.ts';
import { plainDefinition } from '../definition/plain-definition.ts';
import type { JsonValue } from '../values/value-kind.ts';

export const definitionFormats = ['toml', 'json'] as const;
export type DefinitionFormat = (typeof definitionFormats)[number];

/** A definition as the text of a file. */
export interface DefinitionText {
  readonly format: DefinitionFormat;
  readonly text: string;
}

/**
 * A definition as the text of a file that loads to the same definition. TOML has no null and no half surrogate pairs; what
 * it cannot hold comes as JSON, whatever was asked for.
 */
export function definitionText(definition: JsonValue, format: DefinitionFormat): DefinitionText {
  const said = withoutNullDefaults(definition);
  const toml = format === 'toml' ? tomlText(said) : undefined;
  if (toml !== undefined) return { format: 'toml', text: toml };
  return { format: 'json', text: `${JSON.stringify(said, null, 2)}\n` };
}

/** Whether two definitions say the same. */
export const sameDefinition = (a: unknown, b: unknown): boolean =>
  Bun.deepEquals(withoutNullDefaults(plain(a)), withoutNullDefaults(plain(b)));

const plain = (value: unknown): JsonValue => plainDefinition(value, () => {});

/** Undefined where TOML would say something else, which is found out by reading it again. */
function tomlText(definition: JsonValue): string | undefined {
  try {
    const text = stringify(definition);
    return Bun.deepEquals(plain(parse(text)), definition) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A field whose default is null is one without a default. */
function withoutNullDefaults(definition: JsonValue): JsonValue {
  if (!isTable(definition) || !Array.isArray(definition.fields)) return definition;
  const fields = definition.fields.map((field: JsonValue): JsonValue => {
    if (!isTable(field) || field.default !== null) return field;
    const { default: _, ...rest } = field;
    return rest;
  });
  return { ...definition, fields };
}
