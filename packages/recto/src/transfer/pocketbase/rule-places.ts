import type { ParsedPath } from '../../rules/rule-tree.ts';
import type { PocketbaseField } from './pocketbase-collections.ts';
import { isMultiple } from './pocketbase-field.ts';
import { Untranslatable } from './untranslatable.ts';

/** What a field compares as. Each kind says "none" in a way of its own: PocketBase has no null. */
export type PlaceKind =
  | 'text'
  | 'html'
  | 'enum'
  | 'email'
  | 'relation'
  | 'file'
  | 'number'
  | 'boolean'
  | 'date'
  | 'json'
  | 'point';

/** A field that a rule names, as it is called here. */
export interface RulePlace {
  readonly path: string;
  readonly kind: PlaceKind;
  /** Whether the field itself holds several values: PocketBase compares the JSON of the whole list. */
  readonly isList: boolean;
  /** Whether the path goes through several records. An operator without a `?` must hold for all of them there. */
  readonly isThrough: boolean;
  /** Whether it is read from another record, or from within JSON: where there is none, PocketBase's comparisons differ from each other. */
  readonly isElsewhere: boolean;
}

/** The fields of a collection as rules see them. */
export interface RuleCollection {
  /** By the names of PocketBase; `to` is null where a field is not brought in. */
  readonly fields: ReadonlyMap<string, { readonly field: PocketbaseField; readonly to: string | null }>;
  /** What `id` is here: a field where the collection became accounts. */
  readonly id: string;
  /** The collection that a relation leads to; undefined: to accounts, or to what is not brought in. */
  target(field: PocketbaseField): RuleCollection | undefined;
}

/** The field at a path. Throws an `Untranslatable`. */
export function placeAt(collection: RuleCollection, path: ParsedPath): RulePlace {
  const names = path.parts.map(({ name }) => name);
  const steps: string[] = [];
  let isThrough = false;
  let at = collection;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    if (name === 'id' && isLast) return idPlace(at, steps, isThrough);
    const found = at.fields.get(name);
    if (found?.to == null)
      throw new Untranslatable(`The field "${names.slice(0, index + 1).join('.')}" is not brought in.`);
    const { field, to } = found;
    steps.push(to);
    const path = steps.join('.');
    if (isLast) return { path, kind: kindOf(field), isList: isMultiple(field), isThrough, isElsewhere: index > 0 };
    if (field.type === 'json') {
      const inside = [path, ...names.slice(index + 1)].join('.');
      return { path: inside, kind: 'json', isList: false, isThrough, isElsewhere: true };
    }
    isThrough ||= isMultiple(field);
    // The last step to an id is the relation itself.
    if (names[index + 1] === 'id' && index === names.length - 2)
      return { path, kind: 'relation', isList: false, isThrough, isElsewhere: index > 0 };
    const next = field.type === 'relation' ? at.target(field) : undefined;
    if (next === undefined) throw new Untranslatable(`"${names.join('.')}" leads to what rules here do not read.`);
    at = next;
  }
  throw new Untranslatable('A field is missing.');
}

function idPlace({ id }: RuleCollection, steps: readonly string[], isThrough: boolean): RulePlace {
  if (steps.length === 0 || id === 'id')
    return {
      path: [...steps, id].join('.'),
      kind: 'relation',
      isList: false,
      isThrough,
      isElsewhere: steps.length > 0,
    };
  throw new Untranslatable('It leads to an account through its profile.');
}

export function kindOf({ type }: Pick<PocketbaseField, 'type'>): PlaceKind {
  switch (type) {
    case 'select':
      return 'enum';
    case 'editor':
      return 'html';
    case 'email':
    case 'relation':
    case 'file':
    case 'number':
    case 'json':
    case 'date':
      return type;
    case 'autodate':
      return 'date';
    case 'bool':
      return 'boolean';
    case 'geoPoint':
      return 'point';
    default:
      return 'text';
  }
}
