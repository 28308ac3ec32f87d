import type { Rule } from './rule.ts';
import { checkRule } from './rule-checker.ts';
import { parseRule } from './rule-parser.ts';
import { readsOf } from './rule-reads.ts';
import type { RuleScope } from './rule-scope.ts';

/** Parses a rule and checks it against a content type's fields. Throws a RuleError with the place and a remedy. */
export function compileRule(source: string, scope: RuleScope): Rule {
  const tree = checkRule(parseRule(source), scope, source);
  return { source, tree, reads: readsOf(tree) };
}
