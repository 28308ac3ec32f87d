import Type from 'typebox';
import { type AuthenticatedCaller, isAuthenticated } from '../../base/caller.ts';
import { badRequest } from '../../base/problem.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { auditConditions } from '../../events/audit-conditions.ts';
import { languageOfEvent } from '../../events/event-languages.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { EventRange } from '../../events/event-range.ts';
import type { FullEvent, LoggedEvent } from '../../events/logged-event.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import { canonicalDatetime } from '../../values/datetime.ts';
import { datetimePattern } from '../../values/text-patterns.ts';
import { actionSchema, eventLines, eventListSchema } from './event-schemas.ts';
import { eventFilter, loggedTypes } from './events-for-role.ts';

const ndjson = 'application/x-ndjson';

/** The most events of one page, and those that an export reads at a time. */
const largestPage = 1_000;

const timeParameter = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', pattern: datetimePattern, description: `${description} RFC 3339.` }),
  );

const parameters = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999_999,
      description: 'Events behind this number, oldest first. Without it: newest first.',
    }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999_999,
      description: 'Events ahead of this number: the next page of those that are newest first.',
    }),
  ),
  type: Type.Optional(Type.String({ description: 'The singular or plural name of a content type.' })),
  record: Type.Optional(Type.String({ description: 'The id of a record.' })),
  actor: Type.Optional(Type.String({ description: 'The id of an account or API token, or `system`.' })),
  action: Type.Optional({ ...actionSchema, description: 'What was done.' }),
  since: timeParameter('From this time on.'),
  until: timeParameter('Before this time.'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: largestPage, description: 'The most events. Default: 100; all of an export.' }),
  ),
  format: Type.Optional(Type.Enum(['json', 'ndjson'], { description: 'In place of an `Accept` header.' })),
});

interface AuditParts {
  readonly events: EventLog;
  readonly types: ContentTypes;
}

/** The log of changes, for admins and editors. */
export const auditOperation = (parts: AuditParts): Operation => ({
  id: 'listEvents',
  method: 'GET',
  path: '/api/v1/admin/events',
  tag: 'events',
  summary: 'List committed changes',
  description:
    'Editors see those of content, admins also those of accounts and content types; who belongs to a tenant sees those of its records. `application/x-ndjson` returns all matching events, oldest first, one a line.',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { may: 'events' },
  headers: tenantHeaders,
  query: { schema: parameters, validation: 'schema' },
  responses: {
    200: { description: 'The events.', schema: eventListSchema, alternatives: { [ndjson]: eventLines } },
    304: unchanged,
  },
  problems: [400, 503],
  async handle(context) {
    const { caller } = context;
    if (!isAuthenticated(caller)) throw new Error('The operation has roles.');
    const ask = question(parts, context, caller);
    if (wantsLines(context)) return exported(parts, context, ask);
    const { limit = 100 } = ask;
    const { items, isAll } = await pageOf(parts, ask, limit);
    // Of a page that is not full, all that there is behind `after` is known.
    const total = isAll ? items.length : -1;
    return jsonRead(context.request, { items, total, page: 1, page_size: limit });
  },
});

interface Question {
  readonly after: number | null;
  readonly before: number | undefined;
  readonly where: NonNullable<EventRange['where']>;
  readonly limit: number | undefined;
  readonly shown: ReturnType<typeof shownTo>;
}

function question({ types }: AuditParts, { query }: RequestContext, caller: AuthenticatedCaller): Question {
  const { after, before, type, record, actor, action, since, until, limit } = query;
  const text = (value: string | number | boolean | undefined) => (value === undefined ? undefined : String(value));
  const filter = {
    ...{ type: text(type), record: text(record), actor: text(actor), action: text(action) },
    ...{ since: timeOf('since', text(since)), until: timeOf('until', text(until)) },
  };
  return {
    after: after === undefined ? null : Number(after),
    before: before === undefined ? undefined : Number(before),
    limit: limit === undefined ? undefined : Number(limit),
    where: auditConditions(filter, caller, types, loggedTypes(caller, types)),
    shown: shownTo(caller, types),
  };
}

/** A time as the log has them; 400 for one that there is not, such as the 30th of February. */
function timeOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = canonicalDatetime(text);
  if (time === undefined)
    throw badRequest('invalid_parameter', `The parameter "${name}" must be an instant of RFC 3339.`);
  return time;
}

const wantsLines = ({ query, request }: RequestContext): boolean =>
  query.format === 'ndjson' || (query.format === undefined && request.headers.get('accept')?.includes(ndjson) === true);

/** Page by page, as fast as the client takes it. */
function exported(
  parts: AuditParts,
  context: RequestContext,
  { after, before, limit, where, shown }: Question,
): Response {
  return context.stream(
    async ({ write }) => {
      let left = limit ?? Number.POSITIVE_INFINITY;
      let last = after ?? 0;
      while (left > 0) {
        const page = await read(parts, { after: last, before, where, limit: Math.min(left, largestPage) });
        const end = page.at(-1);
        if (end === undefined) return;
        const lines = page.flatMap((event) => shown(event) ?? []).map((event) => `${JSON.stringify(event)}\n`);
        if (lines.length > 0) await write(lines.join(''));
        left -= page.length;
        last = end.seq;
      }
    },
    { 'Content-Type': ndjson, 'Content-Disposition': 'attachment; filename="events.ndjson"' },
    'whole',
  );
}

/** How often more events are read for a page of which some are not shown. */
const mostReadings = 20;

/** A page of events that the caller is shown: how many others there are between them does not make it shorter. */
async function pageOf(parts: AuditParts, { after, before, where, shown }: Question, limit: number) {
  const items: LoggedEvent[] = [];
  let range = { after, before };
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const most = reading === 0 ? limit : largestPage;
    const found = await read(parts, { ...range, where, limit: most });
    items.push(...found.flatMap((event) => shown(event) ?? []));
    const last = found.at(-1);
    if (found.length < most || last === undefined) return { items: items.slice(0, limit), isAll: items.length < limit };
    if (items.length >= limit) break;
    range = after === null ? { after, before: last.seq } : { after: last.seq, before };
  }
  return { items: items.slice(0, limit), isAll: false };
}

const read = ({ events, types }: AuditParts, range: EventRange): Promise<readonly FullEvent[]> =>
  events.readForResponse(range, ['recto:auth', ...types.all.map(({ singular }) => singular)]);

/** What was before is in the revisions. */
function shownTo(caller: AuthenticatedCaller, types: ContentTypes): (event: FullEvent) => ShownEvent | undefined {
  const filter = eventFilter(caller, types);
  return ({ before: _, ...event }) => {
    const shown = filter(event);
    return shown && { ...shown, language: languageOfEvent(types.find(shown.type), shown) };
  };
}

/** `language`: the tag of the one whose words were changed, as far as the caller may know. */
type ShownEvent = LoggedEvent & { readonly language: string | null };
