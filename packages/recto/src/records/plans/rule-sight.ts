import type { Caller } from '../../base/caller.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import type { Rule } from '../../rules/rule.ts';

/**
 * Whether a role reads all that a rule of a type reads: the fields of the record, and all of the types that the rule leads to. To anybody
 * else, whether the rule holds would say something of what they may not read.
 */
export function readsWhatRuleReads(caller: Caller, type: ContentType, { reads }: Rule, types: ContentTypes): boolean {
  const rights = rightsOf(caller, types.roles).of(type);
  const own = [...reads.fields].every((name) => {
    const field = type.field.get(name);
    return field === undefined || rights.reads(field);
  });
  return own && [...reads.types].every((name) => readsAll(caller, types.find(name), types));
}

function readsAll(caller: Caller, type: ContentType | undefined, types: ContentTypes): boolean {
  if (type === undefined) return true;
  const rights = rightsOf(caller, types.roles).of(type);
  return rights.rows.get === 'all' && type.fields.every((field) => field.type.secret || rights.reads(field));
}
