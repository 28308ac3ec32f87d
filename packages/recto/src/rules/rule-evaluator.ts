import type { RuleEnvironment } from '../base/bindings.ts';
import { kinds } from '../values/kinds.ts';
import type { JsonValue, Scalar } from '../values/value-kind.ts';
import { codePointLength } from './code-points.ts';
import type { Rule } from './rule.ts';
import { decide, holds, incomparable, lowerIf, type OperandValue, readRequestOperand } from './rule-operand.ts';
import {
  type CheckedAny,
  type CheckedNode,
  type CheckedOperand,
  isRequestOperand,
  type JsonScalarKind,
  type Place,
  type RecordOperand,
  type RelatedRows,
  type RelationStep,
} from './rule-tree.ts';

type JsonItem = Extract<RecordOperand, { node: 'json_item' }>;

/** What the evaluator asks of a record, by the names of fields. */
export interface RuleRecord {
  /** The field's value in canonical form; for a relation to one record its id. */
  get(field: string): Scalar | JsonValue | null;
  /** The record that a relation to one leads to; null where it is empty or leads nowhere. */
  related(field: string): RuleRecord | null;
  /** The number of records that a relation to many leads to. */
  count(field: string): number;
  /** Whether an any-of comparison through relations holds for any of the records there. */
  holdsForAny(comparison: CheckedAny): boolean;
}

/** Whether the rule holds for a record in a request: the same answer as the SQL of `ruleToSql` gives. */
export function evaluateRule(rule: Rule, record: RuleRecord, environment: RuleEnvironment): boolean {
  return evaluate(rule.tree, record, environment);
}

function evaluate(node: CheckedNode, record: RuleRecord, environment: RuleEnvironment): boolean {
  switch (node.node) {
    case 'and':
      return node.terms.every((term) => evaluate(term, record, environment));
    case 'or':
      return node.terms.some((term) => evaluate(term, record, environment));
    case 'comparison': {
      const left = readOperand(node.left, record, environment);
      const right = readOperand(node.right, record, environment);
      return decide(node, left, right);
    }
    case 'any':
      return node.through.length > 0
        ? record.holdsForAny(node)
        : holdsForItems(node, readOther(node, record, environment), record);
    case 'membership': {
      const value = readOperand(node.operand, record, environment);
      const isOne = node.items.some((item) => holds('=', node.operand.kind, value, item.value));
      return isOne !== node.negated;
    }
  }
}

/** The single value of an any-of comparison. */
export function readOther(
  { comparison, item }: CheckedAny,
  record: RuleRecord,
  environment: RuleEnvironment,
): OperandValue {
  return readOperand(item === 'left' ? comparison.right : comparison.left, record, environment);
}

/** Whether an any-of comparison holds for any item of one of the records that it leads to. */
export function holdsForItems({ comparison, item }: CheckedAny, other: OperandValue, related: RuleRecord): boolean {
  const operand = comparison[item];
  if (isRequestOperand(operand)) throw new TypeError('The items of an any-of comparison are not in a record.');
  const values: readonly OperandValue[] =
    operand.node === 'json_item' ? readItems(operand, related) : [readRecord(operand, related)];
  return values.some((value) =>
    item === 'left' ? decide(comparison, value, other) : decide(comparison, other, value),
  );
}

/** The items at a path of object keys, where an array on the way stands for its items. Null is no item. */
function readItems({ place, path, kind, lower }: JsonItem, record: RuleRecord): readonly OperandValue[] {
  let items = itemsOf(reach(place.steps, record)?.get(place.field) ?? null);
  for (const key of path) items = items.flatMap((item) => itemsOf(keyOf(item, key)));
  return items.filter((item) => item !== null).map((item) => lowerIf(lower, jsonScalar(item, kind)));
}

const itemsOf = (value: Scalar | JsonValue): readonly (Scalar | JsonValue)[] =>
  typeof value === 'object' && value !== null && isArray(value) ? value : value === null ? [] : [value];

function readOperand(operand: CheckedOperand, record: RuleRecord, environment: RuleEnvironment): OperandValue {
  return isRequestOperand(operand) ? readRequestOperand(operand, environment) : readRecord(operand, record);
}

function readRecord(operand: RecordOperand, record: RuleRecord): OperandValue {
  switch (operand.node) {
    case 'column':
      return lowerIf(operand.lower, readColumn(operand.place, record));
    case 'json_value':
      return lowerIf(operand.lower, jsonScalar(jsonAt(operand.place, operand.path, record), operand.kind));
    case 'json_item':
      throw new TypeError('An item of JSON is read only in an any-of comparison.');
    case 'text_length': {
      const text = readColumn(operand.place, record);
      return typeof text === 'string' ? codePointLength(text) : 0;
    }
    case 'json_length':
      return jsonLength(jsonAt(operand.place, operand.path, record));
    case 'related_count':
      return count(operand.related, record);
    case 'column_isset':
      return readColumn(operand.place, record) !== null;
    case 'json_isset':
      return jsonAt(operand.place, operand.path, record) !== null;
    case 'related_isset':
      return count(operand.related, record) > 0;
  }
}

function reach(steps: readonly RelationStep[], record: RuleRecord): RuleRecord | null {
  let current: RuleRecord | null = record;
  for (const step of steps) {
    if (current === null) return null;
    current = current.related(step.field);
  }
  return current;
}

function readColumn({ steps, field }: Place, record: RuleRecord): Scalar | null {
  const value = reach(steps, record)?.get(field) ?? null;
  if (typeof value === 'object' && value !== null) throw new TypeError(`The field ${field} holds JSON, not a scalar.`);
  return value;
}

const count = ({ steps, field }: RelatedRows, record: RuleRecord): number => reach(steps, record)?.count(field) ?? 0;

/** The JSON value at a path of object keys; null where there is none. */
function jsonAt({ steps, field }: Place, path: readonly string[], record: RuleRecord): Scalar | JsonValue {
  let value: Scalar | JsonValue = reach(steps, record)?.get(field) ?? null;
  for (const key of path) value = keyOf(value, key);
  return value;
}

function keyOf(value: Scalar | JsonValue, key: string): Scalar | JsonValue {
  if (typeof value !== 'object' || value === null || isArray(value) || !Object.hasOwn(value, key)) return null;
  return value[key] ?? null;
}

/** `Array.isArray` does not narrow readonly arrays. */
const isArray = (value: object): value is readonly JsonValue[] => Array.isArray(value);

function jsonScalar(value: Scalar | JsonValue, kind: JsonScalarKind): OperandValue {
  return value === null ? null : (kinds[kind].fromJson(value) ?? incomparable);
}

function jsonLength(value: Scalar | JsonValue): number {
  if (typeof value === 'string') return codePointLength(value);
  return typeof value === 'object' && value !== null && isArray(value) ? value.length : 0;
}
