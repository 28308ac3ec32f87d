import { type Caller, isAuthenticated, tenantAsked } from '../../base/caller.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import type { FilterExpression } from '../../rules/filter-expression.ts';
import type { Rule } from '../../rules/rule.ts';
import { evaluateRule, type RuleRecord } from '../../rules/rule-evaluator.ts';
import { mayPass } from '../plans/access.ts';
import { RequestBindings } from '../plans/plan.ts';

/** Records as `get` would show them, of those that a filter holds for. */
export interface SightQuery {
  readonly type: ContentType;
  readonly caller: Caller;
  /** Over what the caller's `get` shows; null: all. */
  readonly filter: FilterExpression | null;
}

/** A record as it was, as far as that is known. */
export interface FormerRecord {
  readonly type: ContentType;
  readonly values: StoredRecord;
  /** The fields whose former values are known. */
  readonly known: ReadonlySet<string>;
  /** When it was so; canonical datetime. */
  readonly at: string;
}

/**
 * Whether `get` showed a record to the caller as it was; undefined where that cannot be known: a rule reads another record, which may
 * have changed since, or a value that is not kept. A filter that cannot be decided counts as held: it hides nothing.
 */
export function wasVisible(former: FormerRecord, { caller, filter }: SightQuery): boolean | undefined {
  const { type, values, at } = former;
  const { get } = type.endpoints;
  if (!mayPass(get.access, caller)) return false;
  if (type.partition !== null && (values[type.partition] ?? null) !== tenantAsked(caller)) return false;
  const shown = type.visible.flatMap(({ rule }) => (rule === null ? [] : [rule]));
  const alternatives = [get.filter, isAuthenticated(caller) ? get.filterAuth : null].filter((rule) => rule !== null);
  if (![...shown, ...alternatives].every((rule) => isKnown(rule, former))) return undefined;
  const record = new PlainRecord(values);
  const bindings = new RequestBindings(caller, [], undefined, null, at);
  const holds = (rule: Rule) => evaluateRule(rule, record, bindings);
  if (!shown.every(holds)) return false;
  const isRestricted = get.filter !== null || get.filterAuth !== null;
  if (isRestricted && !alternatives.some(holds)) return false;
  return filter === null || !isKnown(filter.rule, former) || holds(filter.rule);
}

const isKnown = ({ reads }: Rule, { known }: FormerRecord): boolean =>
  reads.types.size === 0 && [...reads.fields].every((name) => known.has(name));

/** A record's own columns. Rules that read other records are not evaluated. */
class PlainRecord implements RuleRecord {
  readonly #values: StoredRecord;

  constructor(values: StoredRecord) {
    this.#values = values;
  }

  get(field: string) {
    return this.#values[field] ?? null;
  }

  related(): null {
    return null;
  }

  count(): number {
    return 0;
  }

  holdsForAny(): boolean {
    return false;
  }
}
