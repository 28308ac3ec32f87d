import { nearestName } from '../base/nearest-name.ts';
import type { HeldValues } from '../rules/held-values.ts';
import type { JsonContent, JsonMember, RuleField, RuleScope } from '../rules/rule-scope.ts';
import { wordDomain } from '../rules/value-domain.ts';
import type { Scalar } from '../values/value-kind.ts';
import { type Field, junctionColumns } from './content-type.ts';
import type { Part, Structure } from './field-type.ts';
import { saidColumn, saidName } from './languages/languages-table.ts';
import { blockMember } from './structure/structure-items.ts';

/** The part of a content type that the names in its rules refer to. */
export interface ScopedType {
  readonly singular: string;
  readonly table: string;
  readonly field: ReadonlyMap<string, Field>;
  /** Whether its records belong to tenants. */
  readonly partitioned: boolean;
  /** Whether private fields inside others can be named. */
  readonly showsPrivate: boolean;
  /** The names that a caller's role can have; absent: those of the roles that are built in. */
  readonly roles?: readonly string[] | undefined;
  /** The tags of the service's languages, the default first; absent: it has none. */
  readonly languages?: readonly string[] | undefined;
  /** Whether rules can name the languages in which a record has values. */
  readonly namesLanguages?: boolean;
}

/** What a scope asks of the other types, when a rule goes through a relation. */
export interface OtherTypes {
  tableOf(singular: string): string;
  partitioned(singular: string): boolean;
  scopeOf(singular: string): RuleScope;
}

/**
 * What the names of a type's rules mean. The other types are asked when a rule goes through a relation, so that types may
 * refer to one another in circles.
 */
export function typeScope(type: ScopedType, others: OtherTypes): RuleScope {
  const { singular, table, field, roles, languages } = type;
  const said = type.namesLanguages === true && !field.has(saidName) ? saidField(languages ?? []) : undefined;
  const made = new Map<string, RuleField>();
  return Object.freeze({
    type: singular,
    table,
    fieldNames: [...field.keys(), ...(said === undefined ? [] : [saidName])],
    ...(roles === undefined ? {} : { roles }),
    ...(languages === undefined ? {} : { languages }),
    field(name: string) {
      const own = field.get(name);
      if (own === undefined) return name === saidName ? said : undefined;
      const known = made.get(name);
      if (known !== undefined) return known;
      const ruleField = Object.freeze(ruleFieldOf(own, type, others));
      made.set(name, ruleField);
      return ruleField;
    },
  });
}

/** The languages in which a record has values: a list of tags. */
const saidField = (languages: readonly string[]): RuleField => ({
  shape: 'json',
  column: saidColumn,
  items: { member: 'scalar', kind: 'text', held: { domain: wordDomain(languages) } },
});

/** What a path leads to in the values of structured fields, which blocks of several kinds may have under one name. */
function contentOf(structures: readonly Structure[], showsPrivate: boolean): JsonContent {
  const parts = structures.flatMap((structure) => structure.parts);
  const isTagged = structures.every(({ tagged }) => tagged);
  const named = (name: string): readonly Field[] => parts.flatMap(({ field }) => field.get(name) ?? []);
  const inner = (name: string): JsonMember => {
    if (name === blockMember && isTagged) return blockNames(parts);
    const member = memberOf(named(name), showsPrivate);
    if (member !== missing) return member;
    const names = new Set(parts.flatMap(({ fields }) => fields.map((field) => field.name)));
    const shown = [...names].filter((each) => memberOf(named(each), showsPrivate) !== missing);
    const near = nearestName(name, isTagged ? [blockMember, ...shown] : shown);
    return near === undefined ? missing : { ...missing, reason: `${missing.reason}. Did you mean "${near}"?` };
  };
  if (!structures.some(({ many }) => many)) return { inner };
  const values = parts.flatMap(({ item }) => item ?? []);
  return { items: values.length > 0 ? memberOf(values, showsPrivate) : { member: 'json', inner } };
}

/** The value of fields with one name. Where a caller may not see one of them, there is none. */
function memberOf(fields: readonly Field[], showsPrivate: boolean): JsonMember {
  const [field, ...others] = fields;
  if (field === undefined || (!showsPrivate && fields.some((each) => each.private))) return missing;
  const kind = jsonKindOf(field);
  if (others.some((other) => jsonKindOf(other) !== kind)) {
    return { member: 'unusable', reason: 'blocks have fields of several types under this name' };
  }
  switch (kind) {
    case 'one':
    case 'many': {
      const structures = fields.flatMap(({ structure }) => structure ?? []);
      return { member: 'json', ...contentOf(structures, showsPrivate) };
    }
    case 'json':
      return { member: 'json' };
    case 'float':
    case 'boolean':
    case 'text':
      return { member: 'scalar', kind, ...(others.length > 0 ? {} : { held: heldValues(field) }) };
    case 'decimal':
    case 'bigint':
      return {
        member: 'unusable',
        reason: `a ${kind} inside another field is a text, which does not compare as a number`,
      };
  }
}

/** What a value is inside JSON: of a structured field, one item or many. */
function jsonKindOf({ structure, type: { kind } }: Field) {
  if (structure !== undefined) return structure.many ? 'many' : 'one';
  switch (kind) {
    case 'integer':
      return 'float';
    case 'datetime':
    case 'date':
    case 'time':
      return 'text';
    default:
      return kind;
  }
}

const missing = { member: 'unusable', reason: 'there is no such field' } as const;

const blockNames = (parts: readonly Part[]): JsonMember => ({
  member: 'scalar',
  kind: 'text',
  held: { domain: wordDomain(parts.flatMap(({ name }) => name ?? [])) },
});

function ruleFieldOf(field: Field, { partitioned, showsPrivate }: ScopedType, others: OtherTypes): RuleField {
  const { type, place } = field;
  if (type.secret) return { shape: 'unusable', reason: `a ${type.name} is never shown, not even to a rule` };
  switch (place.shape) {
    case 'column':
      return place.kind === 'json'
        ? {
            shape: 'json',
            column: place.column,
            ...(field.structure === undefined ? {} : contentOf([field.structure], showsPrivate)),
          }
        : { shape: 'scalar', kind: place.kind, column: place.column, held: heldValues(field) };
    case 'to_one':
      return {
        shape: 'to_one',
        column: place.column,
        target: () => others.scopeOf(place.target),
        held: { ...heldValues(field), relation: true },
      };
    case 'to_many':
      return {
        shape: 'to_many',
        type: place.target,
        table: place.junction,
        column: junctionColumns.source,
        target: () => others.scopeOf(place.target),
        linkedBy: junctionColumns.target,
      };
    case 'inverse':
      if (!partitioned && others.partitioned(place.target)) {
        return { shape: 'unusable', reason: `a rule would count the ${place.target} records of all tenants` };
      }
      return {
        shape: 'to_many',
        type: place.target,
        table: others.tableOf(place.target),
        column: place.mappedBy,
        target: () => others.scopeOf(place.target),
      };
  }
}

function heldValues(field: Field): HeldValues {
  const domain = field.type.domain?.(field);
  return domain === undefined ? { refusal: (value) => refusalOf(field, value) } : { domain };
}

function refusalOf(field: Field, value: Scalar): string | undefined {
  // In JSON a bigint is a string.
  const parsed = field.type.parse(typeof value === 'bigint' ? String(value) : value, field);
  return parsed.ok ? undefined : parsed.message;
}
