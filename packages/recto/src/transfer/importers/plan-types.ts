import type { ContentTypes } from '../../definition/content-type.ts';
import type { DefinitionFault } from '../../definition/definition-fault.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { Names } from './foreign-names.ts';
import type { ForeignContent, LeftOut, PlannedDefinition } from './importer.ts';
import type { PlannedType } from './plan-text.ts';

/** Checks definitions, each by its name, together with all that the installation has already. */
export type CheckPlanned = (
  definitions: readonly { readonly file: string; readonly definition: PlannedDefinition }[],
) => readonly DefinitionFault[];

/** Each round takes away what the last one has reported; more may be found then. */
const mostRounds = 50;

/**
 * The definitions of a plan, which load as they are. What the check refuses is taken away and reported: a rule, and its endpoint becomes one
 * for admins; or an option of a field. Throws a `TransferRefused` for anything else that is refused.
 */
export function planTypes(
  content: ForeignContent,
  existing: ContentTypes,
  check: CheckPlanned,
): readonly PlannedType[] {
  let planned: readonly PlannedType[] = withFreeNames(content, existing);
  for (let round = 1; ; round += 1) {
    const faults = check(planned.map(({ definition }) => ({ file: definition.singular, definition })));
    if (faults.length === 0) return planned;
    const before = planned;
    planned = planned.map((each) => {
      const own = faults.filter(({ file }) => file === each.definition.singular);
      return own.reduce(withoutFault, each);
    });
    if (round < mostRounds && planned.some((each, index) => each !== before[index])) continue;
    const lines = faults.map(({ file, path, message, remedy }) => `  ${file} ${path}: ${message} — ${remedy}`);
    throw new TransferRefused(['The plan would not load:', ...lines].join('\n'));
  }
}

/** Gives types whose names are taken others, and their relations these. */
function withFreeNames({ types }: ForeignContent, existing: ContentTypes): readonly PlannedType[] {
  const taken = new Set(existing.all.flatMap(({ singular, plural }) => [singular, plural]));
  const renamed = new Map<string, string>();
  const names = new Names([...taken, ...types.flatMap(({ definition: { singular, plural } }) => [singular, plural])]);
  for (const { definition } of types) {
    for (const name of [definition.singular, definition.plural])
      if (taken.has(name) && !renamed.has(name)) renamed.set(name, names.take(`imported_${name}`));
  }
  return types.map((type) => {
    const { definition } = type;
    const [singular, plural] = [definition.singular, definition.plural].map((name) => renamed.get(name) ?? name);
    const fields = withTargets(definition.fields ?? [], renamed);
    const whole = { ...definition, singular: singular ?? '', plural: plural ?? '', fields };
    const names = [singular, plural].map((name) => `"${name}"`).join(', ');
    const why = `There is a type of that name already: it is called ${names}.`;
    const isRenamed = whole.singular !== definition.singular || whole.plural !== definition.plural;
    return { type, definition: whole, leftOut: [...type.leftOut, ...(isRenamed ? [{ place: type.from, why }] : [])] };
  });
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
const optional = ['indexed', 'unique', 'pattern', 'min_length', 'max_length', 'min', 'max', 'default', 'required'];

/** The plan without what a fault is about; the same object where that cannot be taken away. */
function withoutFault(planned: PlannedType, fault: DefinitionFault): PlannedType {
  const { definition } = planned;
  const endpoint = /^api\.(\w+)(?:\.|$)/.exec(fault.path)?.[1];
  if (endpoint !== undefined) return closed(planned, endpoint, fault);
  if (/^unique\b/.test(fault.path) && definition.unique !== undefined) {
    const { unique: _, ...rest } = definition;
    return noted(planned, withNames(rest, definition), { place: `${planned.type.from} unique`, why: sentence(fault) });
  }
  const [, index = '', option] = /^fields\[(\d+)\](?:\.(\w+))?$/.exec(fault.path) ?? [];
  const fields: JsonValue = definition.fields ?? [];
  const field = Array.isArray(fields) ? fields[Number(index)] : undefined;
  if (!isTable(field) || !Array.isArray(fields)) return planned;
  const name = option !== undefined && optional.includes(option) ? option : optional.find((each) => each in field);
  if (name === undefined || !(name in field)) return planned;
  const { [name]: _, ...kept } = field;
  const changed = fields.map((each: JsonValue, at) => (at === Number(index) ? kept : each));
  const place = `${planned.type.from}.${String(field.name)} ${name}`;
  return noted(planned, { ...definition, fields: changed }, { place, why: sentence(fault) });
}

/** An endpoint without its rule is for admins alone: what was closed does not open. */
function closed(planned: PlannedType, endpoint: string, fault: DefinitionFault): PlannedType {
  const { definition } = planned;
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

const noted = (planned: PlannedType, definition: PlannedDefinition, leftOut: LeftOut): PlannedType => ({
  ...planned,
  definition,
  leftOut: [...planned.leftOut, leftOut],
});

const withNames = (rest: Table, { singular, plural }: PlannedDefinition): PlannedDefinition => ({
  ...rest,
  singular,
  plural,
});

const sentence = ({ message }: DefinitionFault): string => {
  const text = message.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
