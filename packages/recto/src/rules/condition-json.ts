import type { JsonValue, ScalarKind } from '../values/value-kind.ts';
import type { Rule } from './rule.ts';
import type { CheckedAny, CheckedComparison, CheckedNode, CheckedOperand, ComparisonOperator } from './rule-tree.ts';

/** A value in a condition: one that is written, or what is found in a field of the record. */
export type ConditionOperand =
  | { readonly value: JsonValue }
  | {
      readonly field: string;
      /** The members on the way into its JSON. */
      readonly path?: readonly string[];
      /** `items`: each item there, of which one has to fit. Absent: the value. */
      readonly of?: 'length' | 'is_set' | 'items';
      readonly lower?: true;
    };

export interface ConditionComparison {
  readonly operator: ComparisonOperator;
  /** What both sides compare as. */
  readonly kind: ScalarKind;
  readonly left: ConditionOperand;
  readonly right: ConditionOperand;
}

/** A rule about nothing but the record's own fields, for programs that evaluate it without the rule language. */
export type ConditionJson =
  | { readonly and: readonly ConditionJson[] }
  | { readonly or: readonly ConditionJson[] }
  | {
      readonly in: readonly JsonValue[];
      readonly not: boolean;
      readonly kind: ScalarKind;
      readonly operand: ConditionOperand;
    }
  | ConditionComparison;

/** The condition of a rule that reads the record's own fields alone. */
export const conditionJson = ({ tree }: Rule): ConditionJson => nodeJson(tree);

function nodeJson(node: CheckedNode): ConditionJson {
  switch (node.node) {
    case 'and':
      return { and: node.terms.map(nodeJson) };
    case 'or':
      return { or: node.terms.map(nodeJson) };
    case 'comparison':
      return comparisonJson(node);
    case 'membership': {
      const { items, negated: not, operand } = node;
      return { in: items.map(({ value }) => plain(value)), not, kind: operand.kind, operand: operandJson(operand) };
    }
    case 'any':
      return anyJson(node);
  }
}

/** The operand that is an item says so itself. */
function anyJson({ through, comparison }: CheckedAny): ConditionJson {
  if (through.length > 0) throw unfit('goes through relations');
  return comparisonJson(comparison);
}

const comparisonJson = ({ operator, left, right }: CheckedComparison): ConditionComparison => ({
  ...{ operator, kind: left.kind },
  ...{ left: operandJson(left), right: operandJson(right) },
});

function operandJson(operand: CheckedOperand): ConditionOperand {
  switch (operand.node) {
    case 'literal':
      return { value: plain(operand.value) };
    case 'column':
      return { field: operand.place.field, ...(operand.lower === true ? { lower: true } : {}) };
    case 'json_value':
      return { field: operand.place.field, path: operand.path, ...(operand.lower === true ? { lower: true } : {}) };
    case 'json_item':
      return {
        ...{ field: operand.place.field, path: operand.path, of: 'items' },
        ...(operand.lower === true ? { lower: true } : {}),
      };
    case 'text_length':
      return { field: operand.place.field, of: 'length' };
    case 'json_length':
      return { field: operand.place.field, path: operand.path, of: 'length' };
    case 'column_isset':
      return { field: operand.place.field, of: 'is_set' };
    case 'json_isset':
      return { field: operand.place.field, path: operand.path, of: 'is_set' };
    default:
      throw unfit(`reads ${operand.node}`);
  }
}

const plain = (value: string | number | bigint | boolean | null): JsonValue =>
  typeof value === 'bigint' ? String(value) : value;

const unfit = (what: string): Error => new Error(`A condition ${what}, which only a rule can.`);
