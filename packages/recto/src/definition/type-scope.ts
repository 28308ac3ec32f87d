import type { HeldValues } from '../rules/held-values.ts';
import type { JsonMember, RuleField, RuleScope } from '../rules/rule-scope.ts';
import type { Scalar } from '../values/value-kind.ts';
import { type Field, junctionColumns } from './content-type.ts';

/** The part of a content type that the names in its rules refer to. */
export interface ScopedType {
  readonly singular: string;
  readonly table: string;
  readonly field: ReadonlyMap<string, Field>;
  /** Whether its records belong to tenants. */
  readonly partitioned: boolean;
  /** Whether private fields inside others can be named. */
  readonly showsPrivate: boolean;
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
  const { singular, table, field } = type;
  const made = new Map<string, RuleField>();
  return Object.freeze({
    type: singular,
    table,
    fieldNames: [...field.keys()],
    field(name: string) {
      const own = field.get(name);
      if (own === undefined) return undefined;
      const known = made.get(name);
      if (known !== undefined) return known;
      const ruleField = Object.freeze(ruleFieldOf(own, type, others));
      made.set(name, ruleField);
      return ruleField;
    },
  });
}

/** What a path into a group names. A list of anything has no names to go on with. */
function membersOf({ structure }: Field, showsPrivate: boolean): { member?: (name: string) => JsonMember } {
  if (structure === undefined) return {};
  return {
    member(name) {
      if (structure.many)
        return { member: 'unusable', reason: 'it is inside a list, of which there is :isset and :length' };
      const field = structure.parts[0]?.field.get(name);
      if (field === undefined || (field.private && !showsPrivate))
        return { member: 'unusable', reason: 'there is no such field' };
      return jsonMember(field, showsPrivate);
    },
  };
}

function jsonMember(field: Field, showsPrivate: boolean): JsonMember {
  const { kind } = field.type;
  if (field.structure !== undefined) {
    const { member } = membersOf(field, showsPrivate);
    return { member: 'json', ...(member === undefined ? {} : { inner: member }) };
  }
  switch (kind) {
    case 'json':
      return { member: 'json' };
    case 'integer':
    case 'float':
      return { member: 'scalar', kind: 'float', held: heldValues(field) };
    case 'boolean':
      return { member: 'scalar', kind, held: heldValues(field) };
    case 'decimal':
    case 'bigint':
      return { member: 'unusable', reason: `a ${kind} inside a group is a text, which does not compare as a number` };
    case 'text':
    case 'datetime':
    case 'date':
    case 'time':
      return { member: 'scalar', kind: 'text', held: heldValues(field) };
  }
}

function ruleFieldOf(field: Field, { partitioned, showsPrivate }: ScopedType, others: OtherTypes): RuleField {
  const { type, place } = field;
  if (type.secret) return { shape: 'unusable', reason: `a ${type.name} is never shown, not even to a rule` };
  switch (place.shape) {
    case 'column':
      return place.kind === 'json'
        ? { shape: 'json', column: place.column, ...membersOf(field, showsPrivate) }
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
