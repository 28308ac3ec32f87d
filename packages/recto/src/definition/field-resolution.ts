import type { JsonValue } from '../values/value-kind.ts';
import type { Field, FieldOptions, FieldPlace } from './content-type.ts';
import type { DefinitionRegistry } from './definition-registry.ts';
import type { NamedField } from './field-names.ts';
import type { FieldSurroundings, Resolution } from './field-surroundings.ts';
import type { FieldType, Structure } from './field-type.ts';
import { indexWidth, mostIndexedCharacters } from './index-width.ts';
import { deepestStructure, InsideResolution } from './inside-resolution.ts';
import { mediaPlace } from './media-place.ts';
import { relationPlace } from './relation-resolution.ts';
import { checkFieldTexts, plainText } from './screen-text.ts';
import { isToMany } from './stored-field.ts';
import { hasLinks } from './structure/inner-links.ts';
import { known, type Report, type WrittenField } from './type-draft.ts';

/** The declared fields of a type that have no error; the names of the others are added to `named.broken`. */
export function resolveFields(resolution: Resolution): readonly Field[] {
  const { draft, named } = resolution;
  const resolved: Field[] = [];
  for (const field of named.fields.values()) {
    let faults = 0;
    const report: Report = (path, ...fault) => {
      faults += 1;
      draft.report(path === '' ? field.path : `${field.path}.${path}`, ...fault);
    };
    const made = resolveField(field, { ...resolution, report, depth: 0 });
    if (made === undefined || faults > 0) named.broken.add(field.name);
    else if (!named.broken.has(field.name)) resolved.push(made);
  }
  return resolved;
}

function resolveField({ name, written }: NamedField, around: FieldSurroundings): Field | undefined {
  const type = around.registry.fieldTypes.get(written.field_type ?? '');
  if (type === undefined) return undefined;
  const { options, faulty } = checkedOptions(type, written, around.report);
  checkFieldTexts(written, options.enum_values, around.report);
  const place = placeOf(name, type, { written, options }, around);
  if (place === undefined) return undefined;
  const structure = structureOf(type, written, around);
  if (type.structure !== undefined && structure === undefined) return undefined;
  const target = type.options.includes('target_field') ? written.target_field : undefined;
  if (target !== undefined) checkTargetField(name, target, written.private === true, around);
  const field: Field = {
    name,
    ...(written.renamed_from === undefined ? {} : { renamedFrom: written.renamed_from }),
    type,
    place,
    origin: 'declared',
    writable: place.shape !== 'inverse',
    ...requiredOf(written),
    unique:
      (type.alwaysUnique && around.depth === 0) ||
      (written.unique ?? false) ||
      written.relation?.relation_type === 'one_to_one',
    private: written.private ?? false,
    immutable: written.immutable ?? false,
    ...(written.relation?.cascade === true ? { cascades: true } : {}),
    indexed: written.indexed ?? false,
    localized: isLocalized(written, around),
    default: undefined,
    label: plainText(written.label),
    description: written.description,
    options,
    ...(structure === undefined ? {} : { structure }),
  };
  checkUnique(field, written.unique === true, around.report);
  checkCondition(written, around);
  // Whether these are right depends on what the options were to be.
  if (faulty) return undefined;
  if (field.indexed) checkIndexed(field, around.report);
  checkLocalized(field, written, around);
  return Object.freeze({ ...field, default: checkedDefault(field, written.default, around.report) });
}

/** With a condition, it is the condition that says when a value is required. */
function requiredOf({ required = false, show_if: source }: WrittenField): Pick<Field, 'required' | 'showIf'> {
  return source === undefined ? { required } : { required: false, showIf: Object.freeze({ source, required }) };
}

function checkCondition({ show_if: source }: WrittenField, { depth, report }: FieldSurroundings): void {
  if (source === undefined || depth === 0) return;
  report('show_if', 'only fields of the type itself have a condition', 'leave it out, or give it to the outer field');
}

/** What stands inside the field; undefined where its type has nothing inside, or what is written is wrong. */
function structureOf(type: FieldType, written: WrittenField, around: FieldSurroundings): Structure | undefined {
  const { depth, report } = around;
  for (const option of ['fields', 'item', 'blocks'] as const) {
    if (written[option] === undefined || type.inside?.includes(option) === true) continue;
    const own = type.inside === undefined ? 'write field_type = "group", "list" or "blocks"' : 'leave it out';
    report(option, `a field of type ${type.name} has no ${option}`, `${own}; it has: ${known(type.inside ?? [])}`);
  }
  if (depth > 0 && type.secret) {
    report('field_type', `a ${type.name} cannot be inside another field`, 'make it a field of the type itself');
  }
  if (type.structure === undefined) return undefined;
  if (depth < deepestStructure) return type.structure(written, new InsideResolution(around, resolveField));
  report('', `is nested deeper than ${deepestStructure} levels`, 'write it flatter, or as a type that is related');
  return undefined;
}

function placeOf(
  name: string,
  type: FieldType,
  { written, options }: { readonly written: WrittenField; readonly options: FieldOptions },
  around: FieldSurroundings,
): FieldPlace | undefined {
  if (type.relates) return relationPlace(name, written, around);
  const target = type.refersTo === undefined ? undefined : around.drafts.byName.get(type.refersTo);
  // A service may leave the type out.
  if (target?.builtIn === undefined) return { shape: 'column', column: name, kind: type.kind };
  return mediaPlace(name, target.singular, { written, options }, around);
}

const optionNames = [
  'max_length',
  'min_length',
  'min',
  'max',
  'pattern',
  'enum_values',
  'target_field',
  'min_items',
  'max_items',
  'multiple',
  'external',
  'format',
  'sanitize',
] as const satisfies readonly (keyof FieldOptions)[];

const optionRemedies: Readonly<Record<keyof FieldOptions, string>> = {
  max_length: 'change max_length or min_length',
  min_length: 'change min_length or max_length',
  min: 'change min or max',
  max: 'change max or min',
  pattern: 'write one that new RegExp(pattern, "u") accepts, such as "^[A-Z]{3}$"',
  enum_values: 'write a list such as enum_values = ["draft", "published"]',
  target_field: 'name a text field of the same type',
  min_items: 'change min_items or max_items',
  max_items: 'change max_items or min_items',
  multiple: 'write multiple = true, or leave it out',
  external: 'write external = true, or leave it out',
  format: 'write format = "html" or format = "markdown"',
  sanitize: 'leave it out',
};

interface CheckedOptions {
  readonly options: Readonly<FieldOptions>;
  /** Some are invalid in themselves and must not be used, such as a pattern that is no regular expression. */
  readonly faulty: boolean;
}

function checkedOptions(type: FieldType, written: NamedField['written'], report: Report): CheckedOptions {
  const given = optionNames.filter((option) => written[option] !== undefined);
  for (const option of given) {
    if (type.options.includes(option)) continue;
    const own = known([...type.options, ...(type.relates ? ['relation'] : []), ...(type.inside ?? [])]);
    report(option, `a field of type ${type.name} has no ${option}`, `leave it out; options of this type: ${own}`);
  }
  if (written.relation !== undefined && !type.relates) {
    report(
      'relation',
      `a field of type ${type.name} has no relation`,
      'write field_type = "relation", or leave it out',
    );
  }
  const options: FieldOptions = Object.freeze(
    Object.fromEntries(given.filter((option) => type.options.includes(option)).map((name) => [name, written[name]])),
  );
  // An option taken out for its shape has been reported and must not be reported as missing as well.
  const faults = type.checkOptions(options);
  for (const { option, message } of faults) report(option, message, remedyOf(option));
  return { options, faulty: faults.length > 0 };
}

const remedyOf = (option: string): string =>
  Object.entries(optionRemedies).find(([name]) => name === option)?.[1] ?? 'change it';

function checkIndexed(field: Field, report: Report): void {
  const { type } = field;
  if (type.secret || isToMany(field) || type.kind === 'json') {
    report('indexed', `lists are not sorted by a field of type ${type.name} like this one`, 'leave out indexed');
  } else if (indexWidth(field) > mostIndexedCharacters) {
    const remedy = `give it a max_length of at most ${mostIndexedCharacters}`;
    report('indexed', 'an index cannot hold text of unlimited length', remedy);
  }
}

/** A field inside another is what the whole of it is. */
const isLocalized = ({ localized = false }: WrittenField, { depth, languages }: FieldSurroundings): boolean =>
  localized && depth === 0 && languages.several;

function checkLocalized(
  field: Field,
  { localized = false }: WrittenField,
  { report, registry, depth }: FieldSurroundings,
): void {
  const { type } = field;
  if (!localized || depth > 0) return;
  if (!type.localizable) {
    const types = [...registry.fieldTypes.values()].filter(({ localizable }) => localizable).map(({ name }) => name);
    const remedy = `leave localized out; it is for fields of type ${types.join(', ')}`;
    report('localized', `a field of type ${type.name} has one value for all languages`, remedy);
  } else if (isToMany(field)) {
    const what = field.type.relates ? 'a relation to many records' : 'a field of several files';
    report('localized', `${what} has one value for all languages`, 'leave localized out');
  } else if (hasLinks(field)) {
    const remedy = 'leave localized out, or move the relation out of it';
    report('localized', 'a field with relations or files inside has one value for all languages', remedy);
  } else if (field.immutable) {
    report('localized', 'a localized field cannot be immutable', 'leave one of the two out');
  }
}

function checkUnique(field: Field, asked: boolean, report: Report): void {
  if (!asked || field.type.filterable) return;
  report('unique', `values of type ${field.type.name} cannot be compared`, 'leave unique out');
}

/** The default in the canonical form that a JSON body would have. */
function checkedDefault(field: Field, written: unknown, report: Report): JsonValue | undefined {
  if (written === undefined || written === null) return undefined;
  if (field.type.secret) {
    report('default', 'a secret must not have a default', 'leave the default out');
    return undefined;
  }
  if (isToMany(field)) return undefined;
  // True because a definition is plain JSON by now, here and below.
  const parsed = field.type.parse(written as JsonValue, field);
  if (!parsed.ok) {
    const why = parsed.message.replace(/\.$/, '');
    report('default', `the default is not a valid value: ${why}`, 'write a valid value');
    return undefined;
  }
  // The form of JSON is what was written: of blocks, each record makes ids of its own.
  if (field.type.kind === 'json') return written as JsonValue;
  return typeof parsed.value === 'bigint' ? String(parsed.value) : parsed.value;
}

function checkTargetField(
  name: string,
  target: string,
  isPrivate: boolean,
  { named, report, registry }: FieldSurroundings,
): void {
  const typeOf = ({ field_type }: WrittenField) => registry.fieldTypes.get(field_type ?? '');
  const source = named.fields.get(target)?.written;
  if (source === undefined || target === name) {
    const candidates = [...named.fields.values()].filter(({ written }) => typeOf(written)?.slugSource === true);
    const names = candidates.map((candidate) => candidate.name);
    report('target_field', `there is no field "${target}" to derive a slug from`, `name one of: ${known(names)}`);
  } else if (typeOf(source)?.slugSource === false) {
    report(
      'target_field',
      `a slug cannot be made of "${target}", which is of type ${source.field_type}`,
      `name a field of type ${slugSources(registry)}`,
    );
  } else if (source.private === true && !isPrivate) {
    report('target_field', `its slug would reveal the private field "${target}"`, 'make this field private too');
  }
}

const slugSources = ({ fieldTypes }: DefinitionRegistry): string =>
  [...fieldTypes.values()].flatMap(({ name, slugSource }) => (slugSource ? [name] : [])).join(', ');
