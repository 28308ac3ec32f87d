import type { Caller } from '../../base/caller.ts';
import { forbidden } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import type { Rule } from '../../rules/rule.ts';
import { readsWhatRuleReads } from '../plans/rule-sight.ts';
import { scheduledFields } from '../plans/tables-at.ts';

/**
 * Whether a rule can come to hold of a record by itself, or with a release: by the time, by a field that schedules change, or by other
 * records.
 */
function changesWithTime({ reads }: Rule, type: ContentType): boolean {
  if (reads.now || reads.types.size > 0) return true;
  const scheduled = scheduledFields(type);
  return [...reads.fields].some((name) => scheduled.has(name));
}

/**
 * Throws 403 for a caller whose role lists or gets records by a rule that can come to hold by a time: asked as of then, the service would show
 * what the caller does not read yet.
 */
export function requireRightsAtAnyTime(caller: Caller, types: ContentTypes): void {
  const rights = rightsOf(caller, types.roles);
  const isBound = types.all.some((type) =>
    (['list', 'get'] as const).some((action) => {
      const right = rights.of(type).rows[action];
      return typeof right !== 'string' && changesWithTime(right, type);
    }),
  );
  if (isBound)
    throw forbidden('insufficient_role', 'Which records your role reads can change until then: ask without "at".');
}

/**
 * Whether a role reads what decides over time which records of a type the public reads show: the fields of rules that read the time, and all
 * of the types that such rules lead to.
 */
export function readsWhatTimeDecides(caller: Caller, type: ContentType, types: ContentTypes): boolean {
  const { list, get } = type.endpoints;
  const rules = [list.filter, list.filterAuth, get.filter, get.filterAuth, ...type.visible.map(({ rule }) => rule)];
  return rules.every((rule) => rule === null || !rule.reads.now || readsWhatRuleReads(caller, type, rule, types));
}
