import type { RuleError } from '../rules/rule-error.ts';
import type { FaultDetails } from './type-draft.ts';

/** What is wrong with a rule, as the errors of definitions say it. */
export interface RuleFault {
  readonly message: string;
  readonly remedy: string;
  readonly details: FaultDetails;
}

export function ruleFault(error: RuleError): RuleFault {
  const excerpt = error.message.split('\n').slice(-2).join('\n');
  const place = error.line > 1 ? `line ${error.line}, column ${error.column}` : `column ${error.column}`;
  return {
    message: error.reason.replace(/\.$/, ''),
    remedy: `fix the rule at its ${place}`,
    details: { excerpt, code: 'bad_rule' },
  };
}
