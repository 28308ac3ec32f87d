import type { TValidationError } from 'typebox/error';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { nearestName } from '../base/nearest-name.ts';
import { truncate } from '../base/truncate.ts';
import { isTable } from '../values/json-table.ts';
import { schemaFaults } from '../values/schema-faults.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { accessLevels } from './content-type.ts';
import {
  definitionSchemaOf,
  groupColumns,
  innerSchemasOf,
  knownNames,
  relationTypes,
  typeColors,
} from './definition-file.ts';
import type { DefinitionRegistry } from './definition-registry.ts';
import { richtextFormats } from './fields/richtext-field.ts';
import { slugify } from './fields/slug.ts';
import type { Report, WrittenDefinition } from './type-draft.ts';

type Validators = Readonly<Record<'definition' | 'field' | 'item' | 'block', Validator>>;

const validators = new WeakMap<DefinitionRegistry, Validators>();

function validatorsOf(registry: DefinitionRegistry): Validators {
  const known = validators.get(registry);
  if (known !== undefined) return known;
  const names = [...registry.fieldTypes.keys()];
  const { field, item, block } = innerSchemasOf(names);
  const made = {
    definition: Compile(definitionSchemaOf(names)),
    field: Compile(field),
    item: Compile(item),
    block: Compile(block),
  };
  validators.set(registry, made);
  return made;
}

/**
 * Checks a definition against its schema and reports every error of shape. Returns what is left when invalid values are
 * taken out, so that the rest can be checked too; undefined when there is nothing to check.
 */
export function checkStructure(
  definition: JsonValue,
  report: Report,
  registry: DefinitionRegistry,
): WrittenDefinition | undefined {
  const compiled = validatorsOf(registry);
  const choices: Choices = { ...fixedChoices, field_type: [...registry.fieldTypes.keys()] };
  const inner = insideErrors(compiled, definition);
  // True because the schemas have accepted it, which are stricter than the type.
  if (compiled.definition.Check(definition) && inner.length === 0) return definition as WrittenDefinition;
  const errors = [...allErrors(compiled.definition, definition), ...inner];
  for (const { field, code, message } of schemaFaults(errors, definition)) {
    const value = valueAt(definition, segmentsOf(field));
    report(field, faultMessage(field, code, message, value), remedyFor(field, code, value, choices), { code });
  }
  return without(definition, errors);
}

/** The errors of what stands inside fields, at every level. */
function insideErrors(compiled: Validators, definition: JsonValue): readonly TValidationError[] {
  if (!isTable(definition) || !Array.isArray(definition.fields)) return [];
  return definition.fields.flatMap((field: JsonValue, index) => insideField(compiled, field, `/fields/${index}`));
}

function insideField(compiled: Validators, field: JsonValue, pointer: string): readonly TValidationError[] {
  if (!isTable(field)) return [];
  const { fields, item, blocks } = field;
  const part = (kind: 'field' | 'item' | 'block', value: JsonValue | undefined, at: string): TValidationError[] => {
    // What is no table at all is an error of the level above.
    if (value === undefined || !isTable(value)) return [];
    const own = compiled[kind].Check(value) ? [] : allErrors(compiled[kind], value);
    const placed = own.map((error) => ({ ...error, instancePath: `${at}${error.instancePath}` }));
    return [...placed, ...insideField(compiled, value, at)];
  };
  const each = (kind: 'field' | 'block', values: JsonValue | undefined, name: string) =>
    Array.isArray(values)
      ? values.flatMap((value: JsonValue, at) => part(kind, value, `${pointer}/${name}/${at}`))
      : [];
  return [
    ...each('field', fields, 'fields'),
    ...part('item', item, `${pointer}/item`),
    ...each('block', blocks, 'blocks'),
  ];
}

/** The library stops at a number of errors that is a global setting; users want all of them. */
function allErrors(validator: Validator, value: unknown): readonly TValidationError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: Number.MAX_SAFE_INTEGER });
  try {
    return validator.Errors(value)[1];
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** `fields[3].max_length` → `fields`, `3`, `max_length`. Names that need quotes end it: nobody asks for their values. */
const segmentsOf = (path: string): readonly string[] => path.match(/[A-Za-z_$][\w$-]*|\d+/g) ?? [];

function valueAt(value: unknown, segments: readonly string[]): unknown {
  let inner = value;
  for (const segment of segments) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, segment)) return undefined;
    inner = Reflect.get(inner, segment);
  }
  return inner;
}

function faultMessage(path: string, code: string, message: string, value: unknown): string {
  const reason = `${message[0]?.toLowerCase()}${message.slice(1).replace(/\.$/, '')}`;
  switch (code) {
    case 'unknown_field':
      return `unknown name "${lastName(path)}"`;
    case 'required':
      return `${lastName(path)} is missing`;
    case 'not_allowed':
    case 'bad_format':
      return path === '' ? reason : `${shown(value)} is no ${lastName(path).replaceAll('_', ' ')}`;
    default:
      return value === '' ? `${lastName(path)} is empty` : `${reason}, not ${shown(value)}`;
  }
}

/** The name at the end of a path: `"odd key"` of `fields[1]["odd key"]`, without the quotes. */
function lastName(path: string): string {
  const quoted = /\["((?:[^"\\]|\\.)*)"\]$/.exec(path)?.[1];
  return quoted ?? /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? path;
}

function shown(value: unknown): string {
  if (value === undefined || typeof value === 'function') return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a table';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return truncate(text, 60);
}

/** What there is to choose from, by the name of the option. */
type Choices = Readonly<Record<string, readonly string[]>>;

const fixedChoices: Choices = {
  relation_type: relationTypes,
  kind: ['collection', 'single'],
  access: accessLevels,
  column: groupColumns,
  color: typeColors,
  format: richtextFormats,
};

function remedyFor(path: string, code: string, value: unknown, choices: Choices): string {
  const name = lastName(path);
  switch (code) {
    case 'unknown_field':
      return closest(name, knownNames[levelOf(path)] ?? [], 'known here');
    case 'required':
      return missingRemedy(path, choices);
    case 'not_allowed':
      // Anything may stand here, also what has no text.
      return closest(typeof value === 'string' ? value : '', choices[name] ?? [], 'it is one of');
    case 'bad_format':
      return typeof value === 'string' && /[a-z]/i.test(value) ? `${nameRule}, such as "${asName(value)}"` : nameRule;
    case 'wrong_type':
      if (/^unique(?:\[\d+\])*$/.test(path)) return 'write unique = [["customer", "product"]]';
      return typeof value === 'string' && /^(?:-?\d+|true|false)$/.test(value)
        ? `write ${value} without quotes`
        : 'write a value of that type';
    default:
      return value === '' ? missingRemedy(path, choices) : 'write a value within that bound';
  }
}

const nameRule = 'a name begins with a letter a to z and goes on with a to z, 0 to 9, "_" or "-"';

function missingRemedy(path: string, choices: Choices): string {
  const name = lastName(path);
  const remedy = missing[innermost(path.replace(/\[\d+\]/g, '[]'))] ?? `add ${name}`;
  const among = choices[name];
  return among === undefined ? remedy : `${remedy}: ${among.join(', ')}`;
}

const missing: Readonly<Record<string, string>> = {
  singular: 'name one record of the type, such as singular = "article"',
  'fields[].name': 'name the field, such as name = "title"',
  'fields[].field_type': 'say what it holds',
  'fields[].relation.relation_type': 'say which it is',
  'item.field_type': 'say what an item holds',
  'blocks[].name': 'name the block, such as name = "quote"',
  'fields[].relation.target': 'name the other type by its plural, such as target = "authors"',
};

function asName(text: string): string {
  const name = slugify(text)
    .replace(/^[^a-z]+/, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  return name === '' ? 'article' : name.replaceAll('-', '_');
}

/** The level that a path's last name stands at, as `knownNames` has it. */
function levelOf(path: string): string {
  const parent = path.endsWith('"]') ? path.replace(/\["(?:[^"\\]|\\.)*"\]$/, '') : path.replace(/\.?[^.]*$/, '');
  return innermost(parent.replace(/\[\d+\]/g, '[]'));
}

/** The level without those that it is inside of: fields are alike at every level. */
const innermost = (level: string): string => level.replace(/^.*\.(?=(?:fields\[\]|item|blocks\[\])(?:\.|$))/, '');

/** A misspelled name's remedy: the name that was meant, or all there are. */
export function closest(written: string, names: readonly string[], introduction: string): string {
  const meant = nearestName(written, names);
  return meant === undefined ? `${introduction}: ${names.join(', ')}` : `did you mean "${meant}"?`;
}

/** Errors of a text that still says which thing is meant; its value stays. */
const harmless = new Set(['pattern', 'minLength', 'maxLength', 'required', 'additionalProperties']);

/** A copy of the definition without the values that errors are about. */
function without(definition: JsonValue, errors: readonly TValidationError[]): WrittenDefinition | undefined {
  const copy: unknown = structuredClone(definition);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) return undefined;
  for (const error of errors) {
    if (!harmless.has(error.keyword)) remove(copy, pointerSegments(error.instancePath));
  }
  // True because everything that the schema rejected is gone, except for what `WrittenDefinition` leaves open.
  return copy as WrittenDefinition;
}

const pointerSegments = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** How much of an invalid path is removed: a complete protocol, set or group, else one option, however deep in it the error is. */
function removedDepth(path: readonly string[]): number {
  const [head, second] = path;
  if (head === 'protocols' || head === 'unique') return 2;
  if (head === 'fields') return optionDepth(path, 2);
  if (head === 'admin') return second === 'groups' ? 3 : 2;
  return head === 'api' ? 3 : 1;
}

/** The same of an error in the field or block that the first parts of the path name. */
function optionDepth(path: readonly string[], depth: number): number {
  const option = path[depth];
  if (option === 'relation') return depth + 2;
  const isInside = option === 'fields' || option === 'blocks' || option === 'item';
  const inner = option === 'item' ? depth + 1 : depth + 2;
  return isInside && path.length > inner ? optionDepth(path, inner) : Math.min(depth + 1, path.length);
}

/** Takes a value out. A field or protocol leaves a gap, so that the others keep their places. */
function remove(root: object, path: readonly string[]): void {
  const removed = path.slice(0, removedDepth(path));
  const parent = valueAt(root, removed.slice(0, -1));
  const last = removed.at(-1);
  if (typeof parent !== 'object' || parent === null || last === undefined) return;
  if (Array.isArray(parent)) parent[Number(last)] = undefined;
  else Reflect.deleteProperty(parent, last);
}
