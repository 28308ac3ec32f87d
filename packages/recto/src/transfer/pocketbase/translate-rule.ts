import { RuleError } from '../../rules/rule-error.ts';
import { parseRule } from '../../rules/rule-parser.ts';
import type { ParsedNode } from '../../rules/rule-tree.ts';
import { isSignedIn } from './compare-request.ts';
import { type RuleContext, translateComparison } from './translate-comparison.ts';
import { Untranslatable } from './untranslatable.ts';

/** An endpoint as a definition has it, or why it stays closed. */
export type TranslatedRule =
  | { readonly access: 'public' | 'member' | 'admin'; readonly filter?: string }
  | { readonly refused: string };

/**
 * The access and the rule that admit nobody whom PocketBase's rule does not admit. Null there means superusers alone, and an empty rule
 * everyone. `besides`: conditions that hold as well.
 */
export function translateRule(
  rule: string | null,
  context: RuleContext,
  besides: readonly string[] = [],
): TranslatedRule {
  if (rule === null) return { access: 'admin' };
  if (rule === '') return withFilter('public', besides);
  // Within a text, PocketBase keeps one as it is: the text, and where it ends, would be others here.
  if (rule.includes('\\')) return { refused: 'It has a backslash, which PocketBase reads in another way.' };
  try {
    const tree = parseRule(rule);
    const terms = tree.node === 'and' ? tree.terms : [tree];
    const all = terms.map((term) => translate(term, context));
    // One that every account passes is an access level.
    const isMember = all.includes(isSignedIn);
    return withFilter(isMember ? 'member' : 'public', [...all.filter((term) => term !== isSignedIn), ...besides]);
  } catch (error) {
    if (error instanceof Untranslatable) return { refused: error.message };
    if (error instanceof RuleError) return { refused: error.reason };
    throw error;
  }
}

const withFilter = (access: 'public' | 'member', terms: readonly string[]): TranslatedRule =>
  terms.length === 0 ? { access } : { access, filter: terms.join(' && ') };

/** One comparison, or a group in parentheses: either can stand beside others. */
function translate(node: ParsedNode, context: RuleContext): string {
  switch (node.node) {
    case 'and':
    case 'or': {
      const terms = node.terms.map((term) => translate(term, context));
      return `(${terms.join(node.node === 'and' ? ' && ' : ' || ')})`;
    }
    case 'comparison':
      return translateComparison(node, context);
    case 'bare':
    case 'membership':
      throw new Untranslatable('It is none that PocketBase knows.');
  }
}
