import type { Field } from '../field-type.ts';
import type { ActiveProtocol } from '../protocol.ts';
import type { TypeDraft } from '../type-draft.ts';

/** Where each field says that it is localized, by its name. */
type Localized = ReadonlyMap<string, string>;

/** Reports what goes with no localized field of a type, however many languages there are. */
export function checkLocalizedFields(
  draft: TypeDraft,
  protocols: readonly ActiveProtocol[],
  fields: ReadonlyMap<string, Field>,
): void {
  const localized = localizedIn(draft);
  if (localized.size === 0) {
    checkStates(draft, protocols);
    return;
  }
  checkBuiltIn(draft, localized);
  checkNames(draft);
  checkTenants(draft, protocols, fields, localized);
  checkSets(draft, localized);
  checkKept(draft, protocols, fields, localized);
}

const localizedIn = ({ written }: TypeDraft): Localized =>
  new Map(
    (written.fields ?? []).flatMap((field, index) =>
      field?.localized === true && field.name !== undefined
        ? [[field.name, `fields[${index}].localized`] as const]
        : [],
    ),
  );

/** A state for each language is of use where languages say something of their own. */
function checkStates({ written, report }: TypeDraft, protocols: readonly ActiveProtocol[]): void {
  for (const { protocol, options } of protocols) {
    if (options.by_language !== true) continue;
    const place = written.protocols?.findIndex((each) => typeof each === 'object' && each.name === protocol.name) ?? -1;
    const remedy = 'leave it out, or write localized = true in a field';
    report(`protocols[${place}].by_language`, 'no field of the type is localized', remedy);
  }
}

/** Some types of the product have routes that know one value of each field. */
function checkBuiltIn({ knowsLanguages, singular, report }: TypeDraft, localized: Localized): void {
  if (knowsLanguages) return;
  for (const path of localized.values())
    report(
      path,
      `fields of the ${singular}, a type of the product, have one value for all languages`,
      'leave localized out',
    );
}

/** Parameters with which reads name a language. */
const parameters = ['language', 'fallback'];

function checkNames({ written, report }: TypeDraft): void {
  for (const [index, field] of (written.fields ?? []).entries()) {
    if (field?.name === undefined || !parameters.includes(field.name)) continue;
    const message = `the name "${field.name}" is taken: reads of a type with localized fields have such a parameter`;
    report(`fields[${index}].name`, message, 'choose another name');
  }
}

function checkTenants(
  { report }: TypeDraft,
  protocols: readonly ActiveProtocol[],
  fields: ReadonlyMap<string, Field>,
  localized: Localized,
): void {
  if (protocols.every(({ protocol }) => protocol.partition === undefined)) return;
  for (const [name, path] of localized) {
    const field = fields.get(name);
    if (field?.unique === true || field?.type.alwaysUnique === true)
      report(path, `"${name}" is unique within a tenant, not within a language`, 'leave localized out');
  }
}

function checkSets({ written, report }: TypeDraft, localized: Localized): void {
  for (const [index, set] of (written.unique ?? []).entries()) {
    for (const [place, name] of (set ?? []).entries()) {
      if (!localized.has(name)) continue;
      const remedy = 'leave it out of the set, or leave out its localized';
      report(`unique[${index}][${place}]`, `"${name}" is localized, and a set is unique in all languages`, remedy);
    }
  }
}

/** A protocol that keeps a field of the type, such as the position of a record, knows one value of it. */
function checkKept(
  { written, report }: TypeDraft,
  protocols: readonly ActiveProtocol[],
  fields: ReadonlyMap<string, Field>,
  localized: Localized,
): void {
  for (const { protocol, options } of protocols) {
    const name = Object.values(options).find((option) => typeof option === 'string' && localized.has(option));
    if (typeof name !== 'string' || fields.get(name)?.origin !== 'declared') continue;
    const place = written.protocols?.findIndex((each) => typeof each === 'object' && each.name === protocol.name) ?? -1;
    const remedy = 'name another field, or leave out its localized';
    report(`protocols[${place}]`, `${protocol.name} goes by "${name}", which is localized`, remedy);
  }
}
