import type { HeldValues } from './held-values.ts';
import { lowerCase } from './letter-case.ts';
import { kindNames, type OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';

/** A text in lower case never equals one with capitals. */
const held: HeldValues = {
  refusal: (value) =>
    typeof value === 'string' && lowerCase(value) !== value
      ? `Must be in lower case: "${lowerCase(value)}".`
      : undefined,
};

/** An operand with `:lower`. Throws a RuleError for one that is no text. */
export function lowered(operand: OpenOperand, source: string): OpenOperand {
  const { span } = operand;
  if (operand.open === 'sent') {
    return { open: 'sent', from: operand.from, name: operand.name, held, lower: true, span };
  }
  // JSON as a whole may be an array of texts.
  if (operand.open === 'json') return { ...operand, lower: true };
  if (operand.open === 'typed') {
    const { operand: value } = operand;
    if (value.kind === 'text' && (value.node === 'column' || value.node === 'auth')) {
      return { open: 'typed', operand: { ...value, lower: true }, held, span };
    }
    throw new RuleError(`This is ${kindNames[value.kind]}: only text has :lower.`, source, span);
  }
  if (operand.open === 'many') return { ...operand, inner: lowered(operand.inner, source) };
  throw new RuleError('Only text has :lower.', source, span);
}
