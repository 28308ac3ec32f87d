import type { JsonValue } from '../values/value-kind.ts';
import type { DefinitionSource } from './definition-source.ts';
import { closest } from './definition-structure.ts';
import { isTable } from './flat-layout.ts';
import { plainDefinition } from './plain-definition.ts';
import type { Report } from './type-draft.ts';

/**
 * Puts the fields of definitions such as `extends = "page"` into the types of the product that they name. What comes out
 * are the whole definitions, each reporting faults in the file where they were written.
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
    const base = builtIns.get(String(extension.extends));
    if (base === undefined) {
      const remedy = closest(String(extension.extends), [...builtIns.keys()], 'there are');
      report('extends', 'extends names no type that ships with the product', remedy);
    } else if (extended.has(base)) {
      report('extends', `${extension.extends} is extended in another file already`, 'put the fields into one file');
    } else {
      extended.set(base, merged(base, source, extension, report));
    }
    return false;
  });
  return kept.map((source) => extended.get(source) ?? source);
}

type Extension = { readonly [name: string]: JsonValue };

function readExtension(source: DefinitionSource): Extension | undefined {
  if (source.builtIn !== undefined) return undefined;
  const definition = plainDefinition(source.definition, () => {});
  return isTable(definition) && definition.extends !== undefined ? definition : undefined;
}

function merged(
  base: DefinitionSource,
  source: DefinitionSource,
  extension: Extension,
  report: Report,
): DefinitionSource {
  for (const name of Object.keys(extension)) {
    if (name === 'extends' || name === 'fields') continue;
    report(
      name,
      `${name} cannot be set for a type that ships with the product`,
      'leave it out: only fields can be added',
    );
  }
  // True because the product's own definitions are tables with a list of fields.
  const whole = base.definition as { readonly fields: readonly unknown[] };
  const before = whole.fields.length;
  const added = Array.isArray(extension.fields) ? extension.fields : [];
  return {
    ...base,
    file: source.file,
    definition: { ...whole, fields: [...whole.fields, ...added] },
    ownPath: (path) => path.replace(/^fields\[(\d+)\]/, (_, index: string) => `fields[${Number(index) - before}]`),
    ...(source.locate === undefined ? {} : { locate: source.locate.bind(source) }),
  };
}
