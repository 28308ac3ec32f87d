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
  if (operand.open === 'json' || operand.open === 'json_items') return { ...operand, lower: true };
  if (operand.open === 'typed') {
    const { operand: value } = operand;
    const typed = { open: 'typed', held, span } as const;
    if (value.kind === 'text') {
      switch (value.node) {
        case 'column':
        case 'auth':
        case 'language':
        case 'json_value':
        case 'json_item':
          return { ...typed, operand: { ...value, lower: true } };
      }
    }
    throw new RuleError(`This is ${kindNames[value.kind]}: only text has :lower.`, source, span);
  }
  if (operand.open === 'many') return { ...operand, inner: lowered(operand.inner, source) };
  throw new RuleError('Only text has :lower.', source, span);
}
