import type { Rule } from './rule.ts';
import { checkRule } from './rule-checker.ts';
import { RuleError } from './rule-error.ts';
import { parseRule } from './rule-parser.ts';
import { readsOf } from './rule-reads.ts';
import type { RuleBody, RuleScope } from './rule-scope.ts';
import { tooLarge } from './rule-size.ts';

/**
 * Parses a rule and checks it against a content type's fields. Throws a RuleError with the place and a remedy, also for a rule that is
 * too large for a database. `body` is what
 * the requests have that the rule is asked for.
 */
export function compileRule(source: string, scope: RuleScope, body: RuleBody = 'any'): Rule {
  const tree = checkRule(parseRule(source), { scope, source, body });
  const reason = tooLarge(tree, 'A rule');
  if (reason !== undefined) throw new RuleError(reason, source, { start: 0, end: source.length });
  return { source, tree, reads: readsOf(tree) };
}
