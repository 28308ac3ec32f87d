import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { DefinitionSource } from './definition-source.ts';
import { closest } from './definition-structure.ts';
import { plainDefinition } from './plain-definition.ts';
import type { Protocol } from './protocol.ts';
import type { Report } from './type-draft.ts';

/**
 * Puts the fields of definitions such as `extends = "page"` into the types of the product that they name. Returns
 * the complete definitions, each reporting errors in the file where they were written.
 */
export function extendBuiltIns(
  sources: readonly DefinitionSource[],
  reporterOf: (source: DefinitionSource) => Report,
): readonly DefinitionSource[] {
  const builtIns = new Map(
    sources.flatMap((source) => {
      const name = source.builtIn === undefined ? undefined : Reflect.get(Object(source.definition), 'singular');
      return typeof name === 'string' ? [[name, source] as const] : [];
    }),
  );
  const extended = new Map<DefinitionSource, DefinitionSource>();
  const kept = sources.filter((source) => {
    const extension = readExtension(source);
    if (extension === undefined) return true;
    const report = reporterOf(source);
    const name = typeof extension.extends === 'string' ? extension.extends : '';
    const base = builtIns.get(name);
    if (base === undefined) {
      const remedy = closest(name, [...builtIns.keys()], 'there are');
      report('extends', 'extends names no built-in type', remedy);
    } else if (extended.has(base)) {
      report('extends', `${name} is extended in another file already`, 'put the fields into one file');
    } else {
      extended.set(base, merged(base, source, extension, report));
    }
    return false;
  });
  return kept.map((source) => extended.get(source) ?? source);
}

type Extension = { readonly [name: string]: JsonValue };

function readExtension(source: DefinitionSource): Extension | undefined {
  // Nearly all definitions extend nothing, which shows without a copy.
  if (source.builtIn !== undefined || Reflect.get(Object(source.definition), 'extends') === undefined) return undefined;
  const definition = plainDefinition(source.definition, () => {});
  return isTable(definition) && definition.extends !== undefined ? definition : undefined;
}

function merged(
  base: DefinitionSource,
  source: DefinitionSource,
  extension: Extension,
  report: Report,
): DefinitionSource {
  const configurable: readonly string[] = base.builtIn?.configurable ?? [];
  for (const name of Object.keys(extension)) {
    if (name === 'extends' || name === 'fields' || configurable.includes(name)) continue;
    if (name === 'localized' && base.builtIn?.localizable !== undefined) continue;
    if (name === 'by_language' && base.builtIn?.byLanguage !== undefined) continue;
    const also = base.builtIn?.localizable === undefined ? '' : ', and says which are localized';
    report(name, `${name} cannot be set for a built-in type`, `leave it out: a file adds fields${also}`);
  }
  // True because the product's own definitions are tables with a list of fields.
  const whole = base.definition as { readonly fields: readonly { readonly name: string }[]; readonly api?: JsonValue };
  const before = whole.fields.length;
  const localized = localizedNames(extension, base.builtIn?.localizable ?? [], report);
  const added = addedFields(extension, new Set(whole.fields.map(({ name }) => name)), report);
  const protocols = protocolsOf(base, extension, localized.size > 0 || added.some(isLocalized), report);
  return {
    ...base,
    ...(protocols === undefined ? {} : { protocols }),
    file: source.file,
    definition: {
      ...whole,
      fields: [
        ...whole.fields.map((field) => (localized.has(field.name) ? { ...field, localized: true } : field)),
        ...added.map(({ field }) => field),
      ],
      ...(configurable.includes('api') && extension.api !== undefined ? { api: apiOf(whole.api, extension.api) } : {}),
    },
    extendedBy: source,
    ownPath: (path) =>
      path.replace(/^fields\[(\d+)\]/, (_, index: string) => {
        const own = added[Number(index) - before]?.index;
        // Of the type's own fields, the file says only which are localized.
        return own === undefined ? 'localized' : `fields[${own}]`;
      }),
    ...(source.locate === undefined ? {} : { locate: source.locate.bind(source) }),
  };
}

/** The fields of the type that the extension localizes. */
function localizedNames(
  { extends: name, localized = [] }: Extension,
  localizable: readonly string[],
  report: Report,
): ReadonlySet<string> {
  const remedy = `name fields of the ${name}: ${localizable.join(', ')}`;
  if (!Array.isArray(localized)) {
    report('localized', 'localized must be a list of names of fields', remedy);
    return new Set();
  }
  const names: readonly JsonValue[] = localized;
  for (const [index, field] of names.entries()) {
    if (typeof field === 'string' && localizable.includes(field)) continue;
    report(`localized[${index}]`, `${JSON.stringify(field)} is no field of the ${name} that can be localized`, remedy);
  }
  return new Set(localizable.filter((field) => names.includes(field)));
}

const isLocalized = ({ field }: { readonly field: JsonValue }): boolean => isTable(field) && field.localized === true;

/** The protocols of a type whose languages are published one by one; undefined: they share the status of the record. */
function protocolsOf(
  { builtIn }: DefinitionSource,
  { by_language: asked = false }: Extension,
  isAnyLocalized: boolean,
  report: Report,
): readonly Protocol[] | undefined {
  if (builtIn?.byLanguage === undefined || asked === false) return undefined;
  if (asked !== true) report('by_language', 'by_language must be true or false', 'write by_language = true');
  else if (!isAnyLocalized)
    report('by_language', 'no field of the type is localized', 'leave it out, or name fields in localized');
  return asked === true ? builtIn.byLanguage : undefined;
}

/** The endpoints that an extension writes take the place of those of the type. */
const apiOf = (own: JsonValue | undefined, written: JsonValue): JsonValue =>
  isTable(own) && isTable(written) ? { ...own, ...written } : written;

/** The fields of an extension, with their places there; those that the type has already are reported and left out. */
function addedFields(
  { extends: name, fields = [] }: Extension,
  known: ReadonlySet<string>,
  report: Report,
): readonly { readonly field: JsonValue; readonly index: number }[] {
  if (!Array.isArray(fields)) {
    report('fields', 'fields must be a list of tables', 'write [[fields]] above each of them');
    return [];
  }
  return fields.flatMap((field: JsonValue, index) => {
    const own = isTable(field) ? field.name : undefined;
    if (typeof own !== 'string' || !known.has(own)) return [{ field, index }];
    report(`fields[${index}].name`, `the name "${own}" is taken: the ${name} has such a field`, 'choose another name');
    return [];
  });
}
