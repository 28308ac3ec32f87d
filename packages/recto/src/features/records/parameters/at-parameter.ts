import type { Caller } from '../../../base/caller.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { badRequest } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import { viewFor } from '../../../definition/rights/read-view.ts';
import type { RequestContext } from '../../../http/operation.ts';
import { readParameters } from '../../../query/query-text.ts';
import { ruleParameters } from '../../../records/plans/access.ts';
import type { Records } from '../../../records/records.ts';
import { requireRightsAtAnyTime } from '../../../records/times/rights-at.ts';
import { kinds } from '../../../values/kinds.ts';
import { atName, takesAt } from './takes-at.ts';

/** A time that a query string names, as a canonical datetime, and the rest of it. 400 for what is none, and for one that has passed. */
function readAtParameter(search: string): { readonly at?: string; readonly rest: string } {
  const parameters = new Map(readParameters(search));
  const text = parameters.get(atName);
  if (text === undefined) return { rest: search };
  parameters.delete(atName);
  const at = kinds.datetime.fromText(text);
  if (typeof at !== 'string')
    throw badRequest('invalid_parameter', '"at" must be a time with an offset, such as 2031-03-30T09:00:00Z.');
  if (Date.parse(at) <= Date.now()) throw badRequest('time_passed', `"at" must be a time to come: ${at} has passed.`);
  return { at, rest: new URLSearchParams([...parameters]).toString() };
}

/** Whether it has no other meaning: a field, or what a rule of the caller's role reads. */
function takesIt(type: ContentType, records: Records, caller: Caller): boolean {
  const view = viewFor('admin', caller, records.types);
  const isRead = (['list', 'get'] as const).some((action) => ruleParameters(type, view, action).has(atName));
  return takesAt(type) && !isRead;
}

/** A read that is answered, of records as they are or as they will stand. */
export interface ReadAsked {
  readonly records: Records;
  readonly caller: Caller;
  /** The query string without what was read of it. */
  readonly search: string;
}

/** Answers a read of the admin routes, by records as they will stand at the time that it names. Such an answer is kept nowhere. */
export function answerAt(
  type: ContentType,
  records: Records,
  { caller, search }: Pick<RequestContext, 'caller' | 'search'>,
  answer: (asked: ReadAsked) => MaybePromise<Response>,
): MaybePromise<Response> {
  const isAsked = (search.includes('at') || search.includes('%')) && takesIt(type, records, caller);
  const { at, rest } = isAsked ? readAtParameter(search) : { rest: search };
  return at === undefined
    ? answer({ records, caller, search })
    : answerLater({ type, at, records, caller, search: rest }, answer);
}

async function answerLater(
  { type, at, records, caller, search }: ReadAsked & { readonly type: ContentType; readonly at: string },
  answer: (asked: ReadAsked) => MaybePromise<Response>,
): Promise<Response> {
  requireRightsAtAnyTime(caller, records.types);
  // The record of a single type is made by the first who asks for it, and not by who only looks ahead.
  if (type.kind === 'single') await records.get({ type, view: 'admin', caller, id: null, search: '' });
  const { readAt } = await import('../../../records/times/read-at.ts');
  const response = await readAt(records, caller, at, async (own, reader) =>
    answer({ records: own, caller: reader, search }),
  );
  const headers = new Headers(response.headers);
  headers.set('Cache-Control', 'no-store');
  headers.delete('ETag');
  return new Response(response.body, { status: response.status, headers });
}
