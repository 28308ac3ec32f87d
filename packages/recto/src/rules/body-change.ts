import type { HeldValues } from './held-values.ts';
import { closeOperand, type OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';
import { openPath } from './rule-path.ts';
import type { Checking } from './rule-scope.ts';
import type { CheckedNode, ParsedNode, ParsedOperand } from './rule-tree.ts';
import { openVariable } from './rule-variable.ts';

type Variable = Extract<ParsedOperand, { node: 'variable' }>;
const body = '@request.body.';

const changedVariable = (operand: ParsedOperand): Variable | undefined =>
  operand.node === 'variable' && operand.modifier?.name === 'changed' ? operand : undefined;

/**
 * `@request.body.x:changed`, alone or compared with true or false: whether the body has the field with a value that is not
 * the record's. Undefined for any other node.
 */
export function checkChange(node: ParsedNode, checking: Checking): CheckedNode | undefined {
  const { source } = checking;
  if (node.node === 'bare') {
    const variable = changedVariable(node.operand);
    return variable === undefined ? undefined : change(variable, true, checking);
  }
  if (node.node !== 'comparison') return undefined;
  const [variable, other] = [
    changedVariable(node.left) ?? changedVariable(node.right),
    changedVariable(node.left) === undefined ? node.left : node.right,
  ];
  if (variable === undefined) return undefined;
  if (node.any || other.node !== 'boolean' || (node.operator !== '=' && node.operator !== '!=')) {
    throw new RuleError('Compare :changed with = true or = false.', source, node.span);
  }
  return change(variable, other.value === (node.operator === '='), checking);
}

function change(variable: Variable, changed: boolean, checking: Checking): CheckedNode {
  const { scope, source } = checking;
  const { name, span } = variable;
  // Reports an unknown name, and an endpoint whose requests have no body.
  if (name.startsWith(body)) openVariable({ ...variable, modifier: null }, checking);
  const field = name.startsWith(body) ? name.slice(body.length) : '';
  const known = scope.field(field);
  if (known?.shape !== 'scalar' && known?.shape !== 'to_one') {
    const reason =
      'Only @request.body.NAME has :changed, where NAME is a plain field of the type or a relation to one record.';
    throw new RuleError(reason, source, variable.modifier?.span ?? span);
  }
  const stored = openPath({ node: 'path', parts: [{ name: field, span }], modifier: null, span }, scope, source);
  const held: HeldValues = { kind: known.shape === 'scalar' ? known.kind : 'text' };
  const sent: OpenOperand = { open: 'sent', from: 'body', name: field, held, span };
  const kind = held.kind ?? 'text';
  const [left, right] = [closeOperand(sent, kind, source), closeOperand(stored, kind, source)];
  const isSent: CheckedNode = {
    ...{ node: 'comparison', operator: '=', span },
    left: { node: 'was_sent', kind: 'boolean', from: 'body', name: field, span },
    right: { node: 'literal', kind: 'boolean', value: changed, span },
  };
  const differs: CheckedNode = { node: 'comparison', operator: changed ? '!=' : '=', left, right, span };
  return { node: changed ? 'and' : 'or', terms: [isSent, differs], span };
}
