import { type JsonOperand, jsonItems, type OpenOperand } from './open-operand.ts';
import { RuleError } from './rule-error.ts';
import type { ComparisonOperator, Hop, ParsedLiteral, ParsedOperand, Span } from './rule-tree.ts';

interface Sides {
  readonly left: OpenOperand;
  readonly right: OpenOperand;
}

/** The sides of an any-of comparison, of which `item` is one of the many values. */
export interface AnySides extends Sides {
  readonly item: 'left' | 'right';
  /** The relations to the records that the item is read from. */
  readonly through: readonly Hop[];
}

type Many = Extract<OpenOperand, { open: 'many' }>;

/** Longest comparison that a remedy repeats. */
const longestShown = 80;

/** Finds the side that is many values. Throws a RuleError unless there is exactly one. */
export function anySides({ left, right }: Sides, operator: ComparisonOperator, span: Span, source: string): AnySides {
  const many = [left, right].filter((side) => side.open === 'many');
  const candidates = many.length > 0 ? many : [left, right].filter((side) => side.open === 'json');
  const [found, second] = candidates;
  if (second !== undefined) {
    const reason = `Only one side of ?${operator} can be many values: compare each with a single value.`;
    throw new RuleError(reason, source, second.span);
  }
  if (found === undefined) {
    const reason = `?${operator} compares any value of a relation to many or of a JSON array, and here both sides are single values: write ${operator}.`;
    throw new RuleError(reason, source, span);
  }
  const other = found === left ? right : left;
  if (found.open === 'many' && found.isIds && other.open === 'null') {
    throw new RuleError(`An id is never null: ${issetRemedy(found, operator, source)}.`, source, span);
  }
  const { through, inner } = found.open === 'many' ? ofMany(found) : ofJson(found);
  return found === left
    ? { item: 'left', through, left: inner, right }
    : { item: 'right', through, left, right: inner };
}

const ofMany = ({ through, inner }: Many): { readonly through: readonly Hop[]; readonly inner: OpenOperand } => {
  if (inner.open !== 'json') return { through, inner };
  const items = ofJson(inner);
  return { through: [...through, ...items.through], inner: items.inner };
};

/** A relation to one on the way to an array leads to as many records as any other: to one or none. */
function ofJson(json: JsonOperand): { readonly through: readonly Hop[]; readonly inner: OpenOperand } {
  const through = json.place.steps.map((step): Hop => ({ to: 'one', ...step }));
  return { through, inner: jsonItems({ ...json, place: { ...json.place, steps: [] } }, json.items) };
}

/** Throws a RuleError for a side that is many values, in a condition that takes single ones. `remedy` is what to write. */
export function refuseMany(side: OpenOperand, source: string, remedy: () => string): void {
  if (side.open !== 'many') return;
  const path = textOf(side, source);
  const counts = side.isIds ? ` Whether there are any is ${path}:isset, how many ${path}:length.` : '';
  const what = side.through.some(({ to }) => to === 'many') ? 'records' : 'values';
  throw new RuleError(`"${path}" leads to many ${what}: ${remedy()}.${counts}`, source, side.span);
}

const textOf = ({ span }: { readonly span: Span }, source: string): string => source.slice(span.start, span.end);

const issetRemedy = (ids: OpenOperand, operator: ComparisonOperator, source: string): string =>
  `write ${textOf(ids, source)}:isset${operator === '=' ? ' = false' : ''}`;

/** What to write instead of a comparison by `operator` of which one side is many values. */
export function anyRemedy({ left, right }: Sides, operator: ComparisonOperator, source: string): string {
  const ids = [left, right].find((side) => side.open === 'many' && side.isIds);
  if (ids !== undefined && (left.open === 'null' || right.open === 'null')) {
    return issetRemedy(ids, operator, source);
  }
  // Other languages ask by ~ whether a list contains an id.
  const any = ids !== undefined && operator === '~' ? '?=' : `?${operator}`;
  return writtenRemedy(`${textOf(left, source)} ${any} ${textOf(right, source)}`, any);
}

/** `in` has no any-of form: each value is a comparison of its own. */
export function memberRemedy(operand: ParsedOperand, first: ParsedLiteral | undefined, source: string): string {
  const value = first === undefined ? '…' : textOf(first, source);
  return `${writtenRemedy(`${textOf(operand, source)} ?= ${value}`, '?=')}, and one such comparison for each value`;
}

/** A comparison in one line, or where it is long its operator. */
function writtenRemedy(comparison: string, operator: string): string {
  const shown = comparison.length <= longestShown && !/\p{Cc}/u.test(comparison) ? comparison : operator;
  return `write ${shown}, which holds where it does for any of them`;
}
