import Type, { type TSchema } from 'typebox';
import { isId, newId } from '../../base/ids.ts';
import { type FieldFault, mostErrors } from '../../base/problem.ts';
import { truncate } from '../../base/truncate.ts';
import { CompiledSchema } from '../../values/compiled-schema.ts';
import { childPath, joinPaths } from '../../values/field-path.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Field, FieldValue, ParsedValue, Part, Sending, Structure } from '../field-type.ts';
import { slugify } from '../fields/slug.ts';
import { blockMember, isMembers, type Members } from './structure-items.ts';

const asSent: Sending = { keepsPrivate: false };

/** A sent value of a structured field in canonical form, or everything that is wrong with it. */
export function parseStructure(value: JsonValue, structure: Structure, sending: Sending = asSent): ParsedValue {
  const parser = new StructureParser(structure, sending);
  const parsed = structure.many ? parser.items(value) : parser.one(value);
  const [first] = parser.faults;
  if (first === undefined) return { ok: true, value: parsed };
  const where = first.field === '' ? '' : `At ${first.field}: `;
  return { ok: false, code: first.code, message: `${where}${first.message}`, inside: parser.faults };
}

/** The value of a member in a stored JSON value: 64-bit integers are texts there. */
const jsonForm = (value: FieldValue): JsonValue => (typeof value === 'bigint' ? String(value) : value);

class StructureParser {
  readonly faults: FieldFault[] = [];
  readonly #structure: Structure;
  readonly #sending: Sending;

  constructor(structure: Structure, sending: Sending) {
    this.#structure = structure;
    this.#sending = sending;
  }

  one(value: JsonValue): JsonValue {
    const [part] = this.#structure.parts;
    return part === undefined ? null : this.#item(part, value, '');
  }

  items(value: JsonValue): JsonValue {
    const { minItems, maxItems, parts, tagged } = this.#structure;
    if (!Array.isArray(value)) return this.#fault('', 'wrong_type', 'Must be an array.');
    if (value.length > maxItems) return this.#fault('', 'too_many_items', `Must have at most ${items(maxItems)}.`);
    if (value.length < minItems) this.#fault('', 'too_few_items', `Must have at least ${items(minItems)}.`);
    const [only] = parts;
    const parsed: JsonValue[] = [];
    const ids = new Set<string>();
    for (const [index, item] of value.entries()) {
      // One more than a problem lists says that there are more.
      if (this.faults.length > mostErrors) break;
      const path = `[${index}]`;
      if (tagged) parsed.push(this.#block(item, path, ids));
      else if (only !== undefined) parsed.push(this.#item(only, item, path));
    }
    return parsed;
  }

  #block(item: JsonValue, path: string, ids: Set<string>): JsonValue {
    if (!isMembers(item)) return this.#fault(path, 'wrong_type', 'Must be an object.');
    const { [blockMember]: name, id, ...members } = item;
    const part = this.#structure.parts.find((each) => each.name === name);
    if (part === undefined) {
      const names = this.#structure.parts.map((each) => each.name).join(', ');
      const isMissing = name === undefined || name === null;
      return isMissing
        ? this.#fault(`${path}.${blockMember}`, 'required', `Must name the kind of block: ${names}.`)
        : this.#fault(`${path}.${blockMember}`, 'not_allowed', `Must be one of: ${names}.`);
    }
    const known = id === undefined || id === null ? newId() : id;
    if (typeof known !== 'string' || !isId(known)) {
      this.#fault(`${path}.id`, 'bad_format', 'Must be an id (a UUID in lower case); left out, one is made.');
    } else if (ids.has(known)) {
      this.#fault(`${path}.id`, 'invalid', 'Another item has this id.');
    } else {
      ids.add(known);
    }
    const parsed = this.#object(part, members, path);
    return { [blockMember]: part.name, id: known, ...parsed };
  }

  #item(part: Part, value: JsonValue, path: string): JsonValue {
    if (part.item === null) {
      return isMembers(value) ? this.#object(part, value, path) : this.#fault(path, 'wrong_type', 'Must be an object.');
    }
    if (value === null) return this.#fault(path, 'required', 'An item must have a value.');
    const faults = schemaOf(part).faults({ item: value });
    if (faults.length > 0) {
      for (const { field, code, message } of faults) this.#fault(joinPaths(path, below(field)), code, message);
      return null;
    }
    return this.#member(part.item, value, path, '');
  }

  #object(part: Part, sent: Members, path: string): Members {
    const values: Record<string, JsonValue> = {};
    const given: Record<string, JsonValue> = Object.create(null);
    for (const [name, value] of Object.entries(sent)) {
      if (!this.#knows(part.field.get(name))) {
        this.#fault(joinPaths(path, childPath('', truncate(name, 64))), 'unknown_field', 'There is no such field.');
      } else if (value !== null) given[name] = value;
    }
    const faults = schemaOf(part).faults(given);
    for (const { field, code, message } of faults) this.#fault(joinPaths(path, field), code, message);
    const faulty = faults.length === 0 ? noNames : new Set(faults.map(({ field }) => /^[^.[]*/.exec(field)?.[0]));
    let hasSlugs = false;
    for (const field of part.fields) {
      if (faulty.has(field.name)) continue;
      const value = this.#valueOf(field, given[field.name], Object.hasOwn(sent, field.name), path);
      if (value !== undefined) values[field.name] = value;
      if (field.options.target_field !== undefined) hasSlugs = true;
    }
    return hasSlugs ? this.#withSlugs(part, values) : values;
  }

  /** Undefined: what is stored is kept, or there is an error. */
  #valueOf(field: Field, given: JsonValue | undefined, isSent: boolean, path: string): JsonValue | undefined {
    const { name, required, options } = field;
    if (given !== undefined) {
      const value = this.#member(field, given, path, name);
      const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
      return required && isEmpty ? this.#missing(path, name) : value;
    }
    if (!isSent) {
      if (this.#sending.keepsPrivate && field.private) return undefined;
      if (field.default !== undefined) return this.#member(field, field.default, path, name);
    }
    if (!required || options.target_field !== undefined) return null;
    if (this.#knows(field)) return this.#missing(path, name);
    this.#fault(path, 'required', unsetMessage);
    return undefined;
  }

  #knows(field: Field | undefined): boolean {
    return field !== undefined && !(this.#sending.knowsNoPrivate === true && field.private);
  }

  #member(field: Field, value: JsonValue, outer: string, name: string): JsonValue {
    const parsed = field.type.parse(value, field, this.#sending);
    if (parsed.ok) return jsonForm(parsed.value);
    const { code, message, inside = [{ field: '', code, message }] } = parsed;
    const path = joinPaths(outer, name);
    for (const fault of inside) this.#fault(joinPaths(path, fault.field), fault.code, fault.message);
    return null;
  }

  /** Slugs that are made of another text of the same item. */
  #withSlugs(part: Part, values: Record<string, JsonValue>): Members {
    for (const { name, options } of part.fields) {
      const source = options.target_field === undefined ? null : (values[options.target_field] ?? null);
      if (values[name] === null && typeof source === 'string' && source !== '') values[name] = slugify(source);
    }
    return values;
  }

  #missing(path: string, name: string): undefined {
    this.#fault(joinPaths(path, name), 'required', `${name} is required.`);
  }

  #fault(field: string, code: string, message: string): null {
    this.faults.push({ field, code, message });
    return null;
  }
}

/** Where what is missing must not be named. */
export const unsetMessage = 'Something is required that your role cannot set.';

const noNames: ReadonlySet<string | undefined> = new Set();

const items = (count: number): string => `${count.toLocaleString('en')} item${count === 1 ? '' : 's'}`;

/** The path within `{ item: … }` from the item on. */
const below = (field: string): string => field.replace(/^item\.?/, '');

const schemas = new WeakMap<Part, CompiledSchema>();

/** What the members of an item may be, without `null` and with nothing required: those two are checked here. */
function schemaOf(part: Part): CompiledSchema {
  const known = schemas.get(part);
  if (known !== undefined) return known;
  const properties: Record<string, TSchema> = {};
  if (part.item !== null) properties.item = part.item.type.input(part.item);
  else for (const field of part.fields) properties[field.name] = Type.Optional(field.type.input(field));
  const schema = new CompiledSchema(Type.Object(properties));
  schemas.set(part, schema);
  return schema;
}
