import type { RuleEnvironment } from '../base/bindings.ts';
import { kinds } from '../values/kinds.ts';
import type { JsonValue, Scalar } from '../values/value-kind.ts';
import { codePointLength } from './code-points.ts';
import type { Rule } from './rule.ts';
import { decide, holds, incomparable, lowerIf, type OperandValue, readRequestOperand } from './rule-operand.ts';
import {
  type CheckedNode,
  type CheckedOperand,
  isRequestOperand,
  type JsonScalarKind,
  type Place,
  type RecordOperand,
  type RelatedRows,
  type RelationStep,
} from './rule-tree.ts';

/** What the evaluator asks of a record, by the names of fields. */
export interface RuleRecord {
  /** The field's value in canonical form; for a relation to one record its id. */
  get(field: string): Scalar | JsonValue | null;
  /** The record that a relation to one leads to; null where it is empty or leads nowhere. */
  related(field: string): RuleRecord | null;
  /** The number of records that a relation to many leads to. */
  count(field: string): number;
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
    case 'membership': {
      const value = readOperand(node.operand, record, environment);
      const isOne = node.items.some((item) => holds('=', node.operand.kind, value, item.value));
      return isOne !== node.negated;
    }
  }
}

function readOperand(operand: CheckedOperand, record: RuleRecord, environment: RuleEnvironment): OperandValue {
  return isRequestOperand(operand) ? readRequestOperand(operand, environment) : readRecord(operand, record);
}

function readRecord(operand: RecordOperand, record: RuleRecord): OperandValue {
  switch (operand.node) {
    case 'column':
      return lowerIf(operand.lower, readColumn(operand.place, record));
    case 'json_value':
      return lowerIf(operand.lower, jsonScalar(jsonAt(operand.place, operand.path, record), operand.kind));
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
  for (const key of path) {
    if (typeof value !== 'object' || value === null || isArray(value) || !Object.hasOwn(value, key)) return null;
    value = value[key] ?? null;
  }
  return value;
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
