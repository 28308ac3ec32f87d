import Type from 'typebox';
import { type Authenticator, callerId, publicCaller } from '../../base/caller.ts';
import { mapMaybe } from '../../base/maybe-promise.ts';
import { unauthorized } from '../../base/problem.ts';
import type { EventStreams } from '../../events/streams/event-streams.ts';
import type { StreamHolder } from '../../events/streams/stream-holder.ts';
import { streamInterest } from '../../events/streams/stream-interest.ts';
import { type StreamTickets, type TicketHolder, ticketMs } from '../../events/streams/stream-tickets.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { json } from '../../http/responses/json-response.ts';
import type { StreamSource } from '../../http/responses/open-streams.ts';
import { tenantHeader, tenantHeaders, visitingNamed } from '../../http/tenant-header.ts';
import { viewAsHeader, viewingNamed } from '../../http/view-as.ts';
import type { Records } from '../../records/records.ts';
import { noStore } from '../accounts/sessions/signed-in-response.ts';

export interface StreamParts {
  readonly streams: EventStreams;
  readonly tickets: StreamTickets;
  readonly records: Records;
  readonly authenticator: Authenticator;
}

const path = '/api/v1/events';
const eventStream = 'text/event-stream';

const common = Type.Object({
  types: Type.Optional(
    Type.String({ description: 'Names of content types, separated by commas. Default: all that the caller may get.' }),
  ),
  filter: Type.Optional(Type.String({ description: 'A filter, as of lists, that each of the types must accept.' })),
  last_event_id: Type.Optional(Type.String({ description: 'In place of the header `Last-Event-ID`.' })),
  ticket: Type.Optional(
    Type.String({ description: 'From `POST /api/v1/events/ticket`. Takes precedence over a token.' }),
  ),
});

/** In a service with several languages. */
const inLanguages = Type.Object({
  language: Type.Optional(
    Type.String({
      description: 'The language that records are shown in, by its tag. Default: the first of the service.',
    }),
  ),
  fallback: Type.Optional(
    Type.Boolean({ description: 'Whether other languages stand in for what the language lacks. Default: true.' }),
  ),
  languages: Type.Optional(
    Type.String({
      description:
        'Tags of languages, separated by commas: what changes in others alone is not sent. Default: those that are shown.',
    }),
  ),
});

const localized = Type.Object({ ...common.properties, ...inLanguages.properties });

/** Streams of changes, for whoever may get the records. */
export function streamOperations(parts: StreamParts): readonly Operation[] {
  parts.streams.adopt(parts.records);
  return [streamOperation(parts), ticketOperation(parts)];
}

const streamOperation = (parts: StreamParts): Operation => ({
  id: 'streamEvents',
  method: 'GET',
  path,
  tag: 'events',
  summary: 'Stream changes as they happen',
  description:
    'Server-sent events `create`, `update` and `delete`, each with the record as its `get` endpoint shows it to the caller at that moment; `reset` where changes may have been missed; `ping` every 15 seconds. `Last-Event-ID` goes on behind an event. The stream ends with the rights of the caller.',
  security: 'optional',
  headers: {
    ...tenantHeaders,
    'Last-Event-ID': Type.Optional(Type.String({ description: 'The id of the last event that was received.' })),
  },
  query: { schema: parts.records.types.languages.several ? localized : common, validation: 'schema' },
  responses: { 200: { description: 'The events.', schema: Type.String(), mediaType: eventStream } },
  problems: [400, 401, 403, 429, 503],
  async handle(context) {
    const { streams, records } = parts;
    const { types, filter, ticket, language, languages, fallback, last_event_id: lastId } = context.query;
    const holder = await holderOf(parts, context, ticket);
    const caller = await holder.now();
    const asked = {
      ...{ types: textOf(types), filter: textOf(filter), language: textOf(language), languages: textOf(languages) },
      fallback: fallback === undefined ? undefined : fallback === true,
    };
    const interest = streamInterest(records, caller, asked);
    const lastEventId = context.request.headers.get('last-event-id') ?? textOf(lastId) ?? null;
    // The same identity for all streams of a caller, tickets included.
    const leave = streams.places.take(callerId(caller) ?? `address ${context.address}`);
    try {
      const start = await streams.begin(interest, lastEventId);
      const source: StreamSource = (sink) => streams.run({ sink, interest, holder }, start).finally(leave);
      const response = context.stream(source, streamHeaders);
      if (context.request.method === 'HEAD') leave();
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  },
});

const streamHeaders = {
  'Content-Type': eventStream,
  // Proxies that gather answers would hold events back.
  'X-Accel-Buffering': 'no',
};

const textOf = (value: string | number | boolean | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** Who asks, now and later. Nothing of the request is kept but what that takes. */
async function holderOf(
  { tickets, authenticator }: StreamParts,
  { request: { headers }, caller }: RequestContext,
  ticket: string | number | boolean | undefined,
): Promise<StreamHolder> {
  if (ticket === undefined) {
    const authorization = headers.get('authorization');
    if (authorization === null) return { key: '', now: () => caller };
    return tokenHolder(authenticator, authorization, {
      tenant: headers.get(tenantHeader),
      role: headers.get(viewAsHeader),
    });
  }
  const found = await tickets.use(String(ticket));
  if (found === undefined) throw unauthorized('invalid_ticket', 'The ticket is not valid: it has expired or was used.');
  return ticketHolder(authenticator, found);
}

/** What the headers of a request name. */
interface Named {
  readonly tenant: string | null;
  /** As which an admin reads. */
  readonly role: string | null;
}

const tokenHolder = (authenticator: Authenticator, authorization: string, named: Named): StreamHolder => ({
  key: JSON.stringify(['token', authorization, named.tenant, named.role]),
  now: () =>
    mapMaybe(authenticator.identify(authorization), (now) =>
      publicCaller(viewingNamed(visitingNamed(now, named.tenant), named.role)),
    ),
});

const ticketHolder = (authenticator: Authenticator, { authorization, visited }: TicketHolder): StreamHolder => ({
  key: JSON.stringify(['ticket', authorization, visited]),
  now: () =>
    mapMaybe(authenticator.identify(authorization), (now) =>
      publicCaller(visited === null ? now : { ...now, visited }),
    ),
});

const ticketSchema = Type.Object(
  {
    ticket: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { $id: 'StreamTicket' },
);

const ticketOperation = ({ tickets }: StreamParts): Operation => ({
  id: 'createStreamTicket',
  method: 'POST',
  path: `${path}/ticket`,
  tag: 'events',
  summary: 'Get a ticket for a stream',
  description:
    'For `EventSource`, which sends no `Authorization` header: `GET /api/v1/events?ticket=…` has the rights of the token that the ticket was asked for with. A ticket opens one stream, within a minute.',
  security: 'bearer',
  headers: tenantHeaders,
  responses: { 201: { description: 'The ticket.', schema: ticketSchema } },
  problems: [400, 403, 503],
  handle({ request, caller }) {
    const authorization = request.headers.get('authorization') ?? '';
    const ticket = tickets.issue({ authorization, visited: caller.visited ?? null });
    return json(201, { ticket, expires_in: ticketMs / 1000 }, noStore);
  },
});
