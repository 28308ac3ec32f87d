import type { Rule, RuleReads } from './rule.ts';
import {
  type AuthName,
  type CheckedAny,
  type CheckedNode,
  type CheckedOperand,
  isRequestOperand,
  type RecordOperand,
  type RelationStep,
} from './rule-tree.ts';

/** What is read from the rule's own record, or from the request. */
function operandsOf(node: CheckedNode): readonly CheckedOperand[] {
  switch (node.node) {
    case 'comparison':
      return [node.left, node.right];
    case 'membership':
      return [node.operand];
    case 'any': {
      const { left, right } = node.comparison;
      return [node.item === 'left' ? right : left, ...(node.through.length === 0 ? [node.comparison[node.item]] : [])];
    }
    case 'and':
    case 'or':
      return node.terms.flatMap(operandsOf);
  }
}

/** The any-of comparisons through relations, whose items other records hold. */
export function relatedAnyOf(node: CheckedNode): readonly CheckedAny[] {
  switch (node.node) {
    case 'comparison':
    case 'membership':
      return [];
    case 'any':
      return node.through.length > 0 ? [node] : [];
    case 'and':
    case 'or':
      return node.terms.flatMap(relatedAnyOf);
  }
}

const recordOperandsOf = (tree: CheckedNode): readonly RecordOperand[] =>
  operandsOf(tree).filter((operand) => !isRequestOperand(operand));

/** Where a record operand ends: the relations on the way, and the field it reads there. */
function endOf(operand: RecordOperand): { readonly steps: readonly RelationStep[]; readonly field: string } {
  return 'related' in operand ? operand.related : operand.place;
}

/** What has been found of the reads of a rule. */
interface FoundReads {
  readonly auth: Set<AuthName>;
  readonly query: Set<string>;
  readonly body: Set<string>;
  readonly types: Set<string>;
  readonly fields: Set<string>;
  now: boolean;
  language: boolean;
}

/** What a checked rule looks at, besides its own record's columns. */
export function readsOf(tree: CheckedNode): RuleReads {
  const reads: FoundReads = {
    auth: new Set(),
    query: new Set(),
    body: new Set(),
    types: new Set(),
    fields: new Set(),
    now: false,
    language: false,
  };
  for (const operand of operandsOf(tree)) addReads(reads, operand);
  for (const any of relatedAnyOf(tree)) addRelatedReads(reads, any);
  return reads;
}

function addReads(reads: FoundReads, operand: CheckedOperand): void {
  switch (operand.node) {
    case 'auth':
      reads.auth.add(operand.name);
      return;
    case 'language':
      reads.language = true;
      return;
    case 'sent':
    case 'was_sent':
      reads[operand.from].add(operand.name);
      return;
    case 'now':
      reads.now = true;
      return;
    case 'literal':
      return;
    default: {
      const { steps, field } = endOf(operand);
      reads.fields.add(steps[0]?.field ?? field);
      addTypes(reads, steps, operand);
    }
  }
}

function addRelatedReads(reads: FoundReads, { through, item, comparison }: CheckedAny): void {
  const [first] = through;
  if (first !== undefined) reads.fields.add(first.field);
  const operand = comparison[item];
  addTypes(reads, [...through, ...(isRequestOperand(operand) ? [] : endOf(operand).steps)], operand);
}

/** The types on the way to what an operand reads, and the one whose rows it counts. */
function addTypes(reads: FoundReads, steps: readonly RelationStep[], operand: CheckedOperand): void {
  for (const { type } of steps) reads.types.add(type);
  if ('related' in operand) reads.types.add(operand.related.type);
}

/** Whether the rule can decide differently for different records. */
export const needsRecord = (rule: Rule): boolean => rule.reads.fields.size > 0;

function distinct(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const byText = new Map(paths.map((path) => [path.join('.'), path]));
  return [...byText.values()].sort((a, b) => a.length - b.length);
}

/**
 * The relation paths that `evaluateRule` follows, each before those that go on from it, so that a caller can load the
 * records first: `author.team.name = "x"` gives `[['author'], ['author', 'team']]`.
 */
export function relationsRead(tree: CheckedNode): readonly (readonly string[])[] {
  const paths = recordOperandsOf(tree).flatMap((operand) => {
    const names = endOf(operand).steps.map(({ field }) => field);
    return names.map((_, index) => names.slice(0, index + 1));
  });
  return distinct(paths);
}

/** The relations to many whose rows `evaluateRule` counts, as paths: `author.posts:length` gives `[['author', 'posts']]`. */
export function countsRead(tree: CheckedNode): readonly (readonly string[])[] {
  const paths = recordOperandsOf(tree).flatMap((operand) =>
    'related' in operand ? [[...operand.related.steps.map(({ field }) => field), operand.related.field]] : [],
  );
  return distinct(paths);
}
