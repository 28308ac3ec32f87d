import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFault } from '../../definition/definition-fault.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { Names } from './foreign-names.ts';
import type { ForeignContent, KnownType, LeftOut, NewType } from './importer.ts';
import type { PlannedType } from './plan-text.ts';

/** Checks definitions, each by its name, together with all that the installation has already. */
export type CheckPlanned = (
  definitions: readonly { readonly file: string; readonly definition: Table }[],
) => readonly DefinitionFault[];

/** Each round takes away what the last one has reported; more may be found then. */
const mostRounds = 50;

/** The types of a plan, and the names of those that have others than the source wants, by these. */
export interface PlannedTypes {
  readonly types: readonly PlannedType[];
  readonly renamed: ReadonlyMap<string, string>;
}

/** What an installation has already. */
export interface ExistingTypes {
  readonly types: ContentTypes;
  /** Those of the product that a file of it extends. */
  readonly extended: ReadonlySet<string>;
}

/**
 * The definitions of a plan, which load as they are. What the check refuses is taken away and reported: a rule, and its endpoint becomes one
 * for admins; or an option of a field. Throws a `TransferRefused` for anything else that is refused.
 */
export function planTypes(content: ForeignContent, existing: ExistingTypes, check: CheckPlanned): PlannedTypes {
  const { types, renamed } = withFreeNames(content, existing);
  let planned = types;
  for (let round = 1; ; round += 1) {
    const faults = check(
      planned.flatMap(({ to, definition }) => (definition === undefined ? [] : [{ file: to, definition }])),
    );
    if (faults.length === 0) return { types: planned, renamed };
    const before = planned;
    planned = planned.map((each) => faults.filter(({ file }) => file === each.to).reduce(withoutFault, each));
    if (round < mostRounds && planned.some((each, index) => each !== before[index])) continue;
    const lines = faults.map(({ file, path, message, remedy }) => `  ${file} ${path}: ${message} — ${remedy}`);
    throw new TransferRefused(['The plan would not load:', ...lines].join('\n'));
  }
}

/** Gives types whose names are taken others, and their relations these. */
function withFreeNames({ types }: ForeignContent, existing: ExistingTypes): PlannedTypes {
  const taken = new Set(existing.types.all.flatMap(({ singular, plural }) => [singular, plural]));
  const own = types.flatMap((type) => ('definition' in type ? [type.definition] : []));
  const renamed = new Map<string, string>();
  const names = new Names([...taken, ...own.flatMap(({ singular, plural }) => [singular, plural])]);
  for (const definition of own) {
    for (const name of [definition.singular, definition.plural])
      if (taken.has(name) && !renamed.has(name)) renamed.set(name, names.take(`imported_${name}`));
  }
  return {
    renamed,
    types: types.map((type) => ('definition' in type ? named(type, renamed) : known(type, renamed, existing))),
  };
}

function named(type: NewType, renamed: ReadonlyMap<string, string>): PlannedType {
  const { definition } = type;
  const [singular = '', plural = ''] = [definition.singular, definition.plural].map(
    (name) => renamed.get(name) ?? name,
  );
  const fields = withTargets(definition.fields ?? [], renamed);
  const isRenamed = singular !== definition.singular || plural !== definition.plural;
  const why = `There is a type of that name already: it is called "${singular}", "${plural}".`;
  return {
    ...{ type, to: singular, definition: { ...definition, singular, plural, fields } },
    leftOut: [...type.leftOut, ...(isRenamed ? [{ place: type.from, why }] : [])],
  };
}

function known(type: KnownType, renamed: ReadonlyMap<string, string>, existing: ExistingTypes): PlannedType {
  const { to, extension, leftOut } = type;
  if (extension === undefined) return { type, to, leftOut };
  if (existing.extended.has(to)) return extended(type, extension, existing);
  const fields = extension.fields === undefined ? {} : { fields: withTargets(extension.fields, renamed) };
  return { type, to, leftOut, definition: { ...extension, extends: to, ...fields } };
}

/** One file extends a type. The fields that it does not have are left out. */
function extended(type: KnownType, { fields = [] }: Table, { types }: ExistingTypes): PlannedType {
  const there = types.find(type.to)?.field;
  const missing = (Array.isArray(fields) ? fields : []).flatMap((field: JsonValue) =>
    isTable(field) && there?.has(String(field.name)) !== true ? [String(field.name)] : [],
  );
  const why = `A file extends ${type.to} already. To bring this in, add such a field to it and plan again.`;
  return {
    ...{ type: { ...type, fields: type.fields.filter(({ to }) => !missing.includes(to)) }, to: type.to },
    leftOut: [...type.leftOut, ...missing.map((name) => ({ place: `${type.from}: ${name}`, why }))],
  };
}

function withTargets(value: JsonValue, renamed: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withTargets(item, renamed));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'target' && typeof inner === 'string' ? (renamed.get(inner) ?? inner) : withTargets(inner, renamed),
    ]),
  );
}

/** The options of a field without which it still holds the same values. */
const optional = [
  ...['indexed', 'unique', 'pattern', 'min_length', 'max_length', 'min', 'max', 'min_items', 'max_items', 'default'],
  ...['required', 'localized', 'value_labels', 'description', 'help'],
];

/** The plan without what a fault is about; the same object where that cannot be taken away. */
function withoutFault(planned: PlannedType, fault: DefinitionFault): PlannedType {
  const { definition } = planned;
  if (definition === undefined) return planned;
  const endpoint = /^api\.(\w+)(?:\.|$)/.exec(fault.path)?.[1];
  if (endpoint !== undefined) return closed(planned, definition, endpoint, fault);
  if (/^unique\b/.test(fault.path) && definition.unique !== undefined) {
    const { unique: _, ...rest } = definition;
    return noted(planned, rest, { place: `${planned.type.from} unique`, why: sentence(fault) });
  }
  const path = [...fault.path.matchAll(/[^.[\]]+/g)].map(([step]) => step);
  const found = withoutOption(definition, path);
  if (found === undefined) return planned;
  return noted(planned, found.value, { place: `${planned.type.from}${found.place}`, why: sentence(fault) });
}

interface WithoutOption {
  readonly value: Table;
  /** Of the field, with the option. */
  readonly place: string;
}

/** A definition, or a field inside, without the option at the end of a path, or without one of the field there. */
function withoutOption(value: Table, [step, ...rest]: readonly string[]): WithoutOption | undefined {
  if (step === undefined || (rest.length === 0 && optional.includes(step))) {
    const option =
      step ?? ('name' in value || 'field_type' in value ? optional.find((each) => each in value) : undefined);
    if (option === undefined || !(option in value)) return undefined;
    const { [option]: _, ...kept } = value;
    return { value: kept, place: ` ${option}` };
  }
  const inner = value[step];
  if (isTable(inner)) {
    const found = withoutOption(inner, rest);
    return found && { value: { ...value, [step]: found.value }, place: found.place };
  }
  const [index = '', ...behind] = rest;
  const item = Array.isArray(inner) ? inner[Number(index)] : undefined;
  if (!Array.isArray(inner) || !isTable(item)) return undefined;
  const found = withoutOption(item, behind);
  if (found === undefined) return undefined;
  const items = inner.map((each: JsonValue, at) => (at === Number(index) ? found.value : each));
  return { value: { ...value, [step]: items }, place: `.${String(item.name)}${found.place}` };
}

/** An endpoint without its rule is for admins alone: what was closed does not open. */
function closed(planned: PlannedType, definition: Table, endpoint: string, fault: DefinitionFault): PlannedType {
  const api: Table = isTable(definition.api) ? definition.api : {};
  const before: Table = isTable(api[endpoint]) ? api[endpoint] : {};
  const isClosed = before.filter === undefined && before.filter_auth === undefined;
  if (isClosed && before.access === 'admin') return planned;
  const rule = before.filter ?? before.filter_auth;
  const why = `The rule ${JSON.stringify(rule ?? '')} cannot be taken over: ${sentence(fault)} Only admins may use it.`;
  return noted(
    planned,
    { ...definition, api: { ...api, [endpoint]: { access: 'admin' } } },
    { place: `${planned.type.from} ${endpoint}`, why },
  );
}

/** `definition`: that of the plan without something that is not its name. */
const noted = (planned: PlannedType, definition: Table, leftOut: LeftOut): PlannedType => ({
  ...planned,
  // True because the names of a type, and what it extends, are never taken away.
  definition: definition as PlannedType['definition'] & Table,
  leftOut: [...planned.leftOut, leftOut],
});

const sentence = ({ message }: DefinitionFault): string => {
  const text = message.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
