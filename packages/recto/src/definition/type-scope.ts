import type { HeldValues } from '../rules/held-values.ts';
import type { RuleField, RuleScope } from '../rules/rule-scope.ts';
import type { Scalar } from '../values/value-kind.ts';
import { type Field, junctionColumns } from './content-type.ts';

/** The part of a content type that the names in its rules refer to. */
export interface ScopedType {
  readonly singular: string;
  readonly table: string;
  readonly field: ReadonlyMap<string, Field>;
  /** Whether its records belong to tenants. */
  readonly partitioned: boolean;
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
      const ruleField = Object.freeze(ruleFieldOf(own, type.partitioned, others));
      made.set(name, ruleField);
      return ruleField;
    },
  });
}

function ruleFieldOf(field: Field, partitioned: boolean, others: OtherTypes): RuleField {
  const { type, place } = field;
  if (type.secret) return { shape: 'unusable', reason: `a ${type.name} is never shown, not even to a rule` };
  switch (place.shape) {
    case 'column':
      return place.kind === 'json'
        ? { shape: 'json', column: place.column }
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
