import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { fieldNames, ownName } from '../importers/foreign-names.ts';
import { ForeignBlock, ForeignRef, type ForeignValue } from '../importers/foreign-value.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { fileOf, textWithFiles } from './strapi-files.ts';
import { blocksHtml } from './strapi-html.ts';
import { slugOf } from './strapi-slug.ts';
import { fileType, type StrapiTables, tableOf, textOf } from './strapi-tables.ts';

export const userType = 'plugin::users-permissions.user';

/** What has values of attributes: a row, or a component in one. */
export interface Owner {
  readonly type: string;
  readonly id: string;
  readonly data: Table;
  /** Names it in the source, the same whether it is published or not. */
  readonly key: string;
  remark(text: string): void;
}

/** A field here for an attribute, and how its values are read. */
export interface StrapiField {
  readonly from: string;
  readonly to: string;
  /** With its name. */
  readonly definition: Table;
  readonly lost: readonly string[];
  read(owner: Owner): ForeignValue;
}

/** What fields are made with. */
export interface FieldParts {
  readonly tables: StrapiTables;
  /** The plural of a type here; undefined: it is not brought in. */
  plural(uid: string): string | undefined;
  /** The name here of an attribute of a type. */
  nameOf(uid: string, attribute: string): string | undefined;
}

/** Where an attribute is. */
interface Place extends FieldParts {
  readonly schema: Table;
  /** Its name in Strapi. */
  readonly from: string;
  readonly attribute: Table;
  /** The names here of all attributes of the schema. */
  readonly names: ReadonlyMap<string, string>;
  /** The components that it is in, from outside. */
  readonly within: readonly string[];
  /** How many components it is in. */
  readonly depth: number;
  readonly count: FieldCount;
}

/** How many fields a type has so far, with those of its components. */
interface FieldCount {
  readonly uid: string;
  fields: number;
}

/** Components in components multiply: a type with more is no type that anybody works with. */
const mostFields = 5_000;

/** What an attribute becomes, without its name; a sentence why it becomes nothing. */
type Planned = Omit<StrapiField, 'from' | 'to'>;

/** The attributes that every row has. */
export const ownAttributes: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale'],
  ...['localizations', 'strapi_stage', 'strapi_assignee', 'sitemap_exclude'],
]);

export interface PlannedFields {
  readonly fields: readonly StrapiField[];
  readonly leftOut: readonly (readonly [attribute: string, why: string])[];
}

/** The names here of the attributes of a schema. `reserved`: those of protocols. */
export function namesIn(schema: Table, reserved: readonly string[]): ReadonlyMap<string, string> {
  const names = fieldNames();
  for (const name of reserved) names.take(name);
  const attributes = Object.keys(tableOf(schema.attributes)).filter((name) => !ownAttributes.has(name));
  return new Map(attributes.map((name) => [name, names.take(ownName(name, 'field'), '_field')]));
}

/** The fields for the schema of a type. Throws a `TransferRefused` for one with too many. */
export const plannedFields = (schema: Table, names: ReadonlyMap<string, string>, parts: FieldParts): PlannedFields =>
  fieldsOf(schema, names, { ...parts, within: [], count: { uid: textOf(schema.uid), fields: 0 } });

function fieldsOf(
  schema: Table,
  names: ReadonlyMap<string, string>,
  parts: FieldParts & Pick<Place, 'within' | 'count'>,
): PlannedFields {
  const { count, within } = parts;
  // A component without fields counts too.
  count.fields += names.size + 1;
  if (count.fields > mostFields)
    throw new TransferRefused(`The type ${count.uid} has more than 5,000 fields, with those of its components.`);
  const leftOut: [string, string][] = [];
  const fields = [...names].flatMap(([from, to]): readonly StrapiField[] => {
    const attribute = tableOf(tableOf(schema.attributes)[from]);
    const planned = plannedField({ ...parts, schema, from, attribute, names, depth: within.length });
    if (typeof planned === 'string') {
      leftOut.push([from, planned]);
      return [];
    }
    const isPrivate = attribute.private === true || planned.definition.private === true;
    return [
      {
        ...planned,
        from,
        to,
        definition: { name: to, ...planned.definition, ...(isPrivate ? { private: true } : {}) },
      },
    ];
  });
  return { fields, leftOut };
}

function plannedField(place: Place): Planned | string {
  switch (textOf(place.attribute.type)) {
    case 'component':
      return component(place);
    case 'dynamiczone':
      return dynamicZone(place);
    case 'relation':
      return relation(place);
    case 'media':
      return media(place);
    case 'password':
      return 'It holds hashes that only Strapi verifies.';
    default:
      return scalar(place);
  }
}

/** Deeper, a structured field has no place. */
const deepest = 4;

function itemFields(uid: string, place: Place): PlannedFields | undefined {
  const schema = place.tables.schemas.get(uid);
  if (schema === undefined) return undefined;
  return fieldsOf(schema, namesIn(schema, ['block']), { ...place, within: [...place.within, uid] });
}

const definitionsOf = ({ fields }: PlannedFields): JsonValue => fields.map(({ definition }) => definition);
const lostOf = ({ fields, leftOut }: PlannedFields): readonly string[] => [
  ...fields.flatMap(({ from, lost }) => lost.map((each) => `${from}: ${each}`)),
  ...leftOut.map(([attribute, why]) => `${attribute}: ${why}`),
];

function valuesOf({ fields }: PlannedFields, owner: Owner): { readonly [name: string]: ForeignValue } {
  return Object.fromEntries(fields.map((field) => [field.to, field.read(owner)]));
}

function innerOwner(owner: Owner, uid: string, data: JsonValue, key: string): Owner {
  const table = tableOf(data);
  return { type: uid, id: textOf(table.id), data: table, key: `${owner.key}/${key}`, remark: owner.remark };
}

function component(place: Place): Planned | string {
  const { from, depth, within } = place;
  const { component: uid, repeatable } = place.attribute;
  const name = textOf(uid);
  if (within.includes(name)) return 'The component would contain itself.';
  const inner = depth >= deepest ? undefined : itemFields(name, place);
  if (inner === undefined) return depth >= deepest ? 'It is nested too deep.' : `There is no component ${name}.`;
  if (inner.fields.length === 0) return `Nothing of the component ${name} is brought in.`;
  const read = (owner: Owner, data: JsonValue, key: string): ForeignValue =>
    valuesOf(inner, innerOwner(owner, name, data, key));
  if (repeatable === true) {
    return {
      ...{ definition: { field_type: 'list', fields: definitionsOf(inner) }, lost: lostOf(inner) },
      read(owner) {
        const items = owner.data[from];
        return (Array.isArray(items) ? items : []).map((item: JsonValue, at) => read(owner, item, `${from}.${at}`));
      },
    };
  }
  return {
    ...{ definition: { field_type: 'group', fields: definitionsOf(inner) }, lost: lostOf(inner) },
    read(owner) {
      const data = owner.data[from];
      return data === undefined || !isTable(data) ? null : read(owner, data, from);
    },
  };
}

function dynamicZone(place: Place): Planned | string {
  const { from, depth, tables, within } = place;
  const { components } = place.attribute;
  if (depth >= deepest) return 'It is nested too deep.';
  const uids = (Array.isArray(components) ? components : []).map((each: JsonValue) => textOf(each));
  const names = fieldNames();
  const kinds = new Map(
    uids.flatMap((uid) => {
      const inner = within.includes(uid) ? undefined : itemFields(uid, place);
      return inner === undefined ? [] : [[uid, { block: names.take(ownName(uid, 'block')), inner }] as const];
    }),
  );
  if (kinds.size === 0) return 'It has no components.';
  const label = (uid: string): string => textOf(tableOf(tables.schemas.get(uid)?.info).displayName) || uid;
  const blocks = [...kinds].map(([uid, { block, inner }]) => ({
    ...{ name: block, label: label(uid) },
    ...(inner.fields.length === 0 ? {} : { fields: definitionsOf(inner) }),
  }));
  return {
    definition: { field_type: 'blocks', blocks },
    lost: [
      ...[...kinds].flatMap(([uid, { inner }]) => lostOf(inner).map((each) => `${uid} ${each}`)),
      ...uids.filter((uid) => within.includes(uid)).map((uid) => `${uid}, which would contain itself`),
    ],
    read(owner) {
      const items = owner.data[from];
      return (Array.isArray(items) ? items : []).flatMap((item: JsonValue, at): readonly ForeignValue[] => {
        const uid = textOf(tableOf(item).__component);
        const kind = kinds.get(uid);
        if (kind === undefined) {
          owner.remark(
            `${from}: items of ${uid.slice(0, 80) || 'no component'}, which the zone does not have: left out`,
          );
          return [];
        }
        const inner = innerOwner(owner, uid, item, `${from}.${at}`);
        return [new ForeignBlock(kind.block, inner.key, valuesOf(kind.inner, inner))];
      });
    },
  };
}

function media({ from, attribute: { multiple }, tables, depth }: Place): Planned {
  const files = ({ type, id }: Owner): readonly ForeignValue[] =>
    tables
      .targets(type, id, from)
      .flatMap((target) => (target.type === fileType ? (fileOf(tables, target.ref) ?? []) : []));
  if (multiple !== true)
    return { definition: { field_type: 'media' }, lost: [], read: (owner) => files(owner)[0] ?? null };
  // Inside, a field has one file.
  const definition =
    depth === 0 ? { field_type: 'media', multiple: true } : { field_type: 'list', item: { field_type: 'media' } };
  return { definition, lost: [], read: files };
}

function relation({ from, attribute, tables, plural, nameOf, depth }: Place): Planned | string {
  const kind = textOf(attribute.relation);
  const uid = textOf(attribute.target);
  if (/morph/i.test(kind)) return 'It leads to records of several types, which no relation here does.';
  const target = uid === userType ? 'users' : plural(uid);
  if (target === undefined) return `It leads to ${uid || 'nothing'}, which is not brought in.`;
  const mapped = textOf(attribute.mappedBy);
  const isMany = /(?:ToMany|manyWay)$/.test(kind);
  if (mapped !== '') return inverse(kind, uid, target, nameOf(uid, mapped));
  const refs = ({ type, id }: Owner): readonly ForeignValue[] => {
    const found = tables.targets(type, id, from).flatMap((each) => tables.documentOf(each.type, each.ref) ?? []);
    return [...new Set(found)].map((document) => new ForeignRef(uid, document));
  };
  // Who sees a record sees the profile of an account that it names; Strapi asks for a right of its own.
  const closed = target === 'users' ? { private: true } : {};
  const as = (relation_type: string): Table => ({ field_type: 'relation', relation: { relation_type, target } });
  if (!isMany) {
    const definition = as(depth === 0 ? oneOf(kind, attribute, target) : 'many_to_one');
    return { definition: { ...definition, ...closed }, lost: [], read: (owner) => refs(owner)[0] ?? null };
  }
  // Inside, a relation leads to one record.
  const many = depth === 0 ? as('many_to_many') : { field_type: 'list', item: as('many_to_one') };
  return { definition: { ...many, ...closed }, lost: [], read: refs };
}

/** Strapi lets several records lead to one over a relation that only one side knows. */
const oneOf = (kind: string, { inversedBy }: Table, target: string): string =>
  kind === 'oneToOne' && textOf(inversedBy) !== '' && target !== 'users' ? 'one_to_one' : 'many_to_one';

function inverse(kind: string, uid: string, target: string, name: string | undefined): Planned | string {
  if (kind === 'manyToMany' || kind === 'manyToOne' || name === undefined || target === 'users')
    return `The other side of a relation of ${uid}: a filter of its list finds the records.`;
  const relation = { relation_type: 'one_to_many', target, mapped_by: name };
  // It holds nothing itself.
  return { definition: { field_type: 'relation', relation }, lost: [], read: () => null };
}

/** How many characters a text has at most which is unique. */
const longestUnique = 500;

function scalar(place: Place): Planned | string {
  const { from, attribute, depth } = place;
  const base = baseOf(place);
  if (base === undefined) return `There is no field for ${JSON.stringify(attribute.type ?? null)}.`;
  const { definition, value } = base;
  const limits = depth === 0 ? limitsOf(place, definition) : { definition: {}, lost: [] };
  const fallback = attribute.default;
  const isPlain = fallback !== undefined && fallback !== null && typeof fallback !== 'object';
  return {
    definition: { ...definition, ...(isPlain ? { default: fallback } : {}), ...limits.definition },
    lost: [...limits.lost, ...(textOf(attribute.regex) === '' ? [] : ['its pattern'])],
    read(owner) {
      const stored = owner.data[from];
      return stored === undefined || stored === null ? null : value(stored, owner);
    },
  };
}

interface Base {
  readonly definition: Table;
  value(stored: JsonValue, owner: Owner): ForeignValue;
}

function baseOf({ schema, attribute, tables, names }: Place): Base | undefined {
  const as = (field_type: string, value: Base['value'] = (stored) => stored): Base => ({
    definition: { field_type },
    value,
  });
  const text = (stored: JsonValue): string => (typeof stored === 'string' ? stored : JSON.stringify(stored));
  const filled = (stored: JsonValue): string | null => text(stored) || null;
  switch (textOf(attribute.type)) {
    case 'string':
    case 'text':
      return as('text', text);
    case 'richtext':
      return {
        definition: { field_type: 'richtext', format: 'markdown' },
        value: (stored) => textWithFiles(text(stored), tables),
      };
    case 'blocks':
      return as('richtext', (stored, { remark }) => textWithFiles(blocksHtml(stored, remark), tables));
    case 'email':
      return as('email', filled);
    case 'enumeration': {
      const values = (Array.isArray(attribute.enum) ? attribute.enum : []).map((each: JsonValue) => textOf(each));
      return { definition: { field_type: 'enum', enum_values: [...new Set(values)] }, value: filled };
    }
    case 'uid': {
      const wanted = textOf(attribute.targetField);
      const kind = textOf(tableOf(tableOf(schema.attributes)[wanted]).type);
      const target = /^(?:string|text|email|enumeration)$/.test(kind) ? names.get(wanted) : undefined;
      const of = target === undefined ? {} : { target_field: target };
      return { definition: { field_type: 'uid', ...of }, value: (stored, owner) => slugOf(text(stored), owner.remark) };
    }
    case 'integer':
      return as('integer');
    case 'biginteger':
      return as('bigint', (stored) => String(stored));
    case 'decimal':
      return as('decimal', (stored) => String(stored));
    case 'float':
      return as('float', Number);
    case 'boolean':
      return as('boolean', (stored) => stored === true || stored === 1);
    case 'date':
      return as('date', (stored) => text(stored).slice(0, 10));
    case 'datetime':
    case 'timestamp':
      return as('datetime', (stored, { remark }) => {
        const time = timeOf(stored);
        if (time === undefined && stored !== '') remark('times that are none: left out');
        return time ?? null;
      });
    case 'time':
      return as('time', (stored) => text(stored).slice(0, 8));
    case 'json':
      return as('json');
    default:
      return undefined;
  }
}

/** A time as a canonical datetime, whose year has four digits; undefined: it is none. */
export function timeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(value);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) ? text : undefined;
}

/** The limits of an attribute that all its values keep: Strapi does not ask this of drafts. */
function limitsOf({ schema, from, attribute, tables }: Place, { field_type: kind }: Table) {
  const uid = textOf(schema.uid);
  const range = tables.range(uid, from);
  const lost: string[] = [];
  const kept: Record<string, JsonValue> = {};
  const keep = (name: string, value: JsonValue | undefined, holds: (bound: number) => boolean): void => {
    if (typeof value !== 'number') return;
    if (holds(value)) kept[name] = value;
    else lost.push(`${name} ${value}, because of values that do not keep it`);
  };
  if (attribute.required === true) {
    if (range.missing === 0) kept.required = true;
    else lost.push(`that it is required, because ${range.missing} rows have nothing`);
  }
  if (kind === 'text') {
    keep('max_length', attribute.maxLength, (most) => (range.longest ?? 0) <= most);
    keep('min_length', attribute.minLength, (least) => (range.shortest ?? least) >= least);
    if (attribute.unique === true && kept.max_length === undefined && (range.longest ?? 0) <= longestUnique)
      kept.max_length = longestUnique;
  }
  if (kind === 'integer' || kind === 'float') {
    keep('min', attribute.min, (least) => (range.least ?? least) >= least);
    keep('max', attribute.max, (most) => (range.most ?? most) <= most);
  }
  if (attribute.unique === true && kind !== 'uid') {
    if (tables.isRepeated(uid, from)) lost.push('that it is unique, because values are there twice');
    else kept.unique = true;
  }
  return { definition: kept, lost };
}
