import Type from 'typebox';
import { workingName } from '../../auth/working-name.ts';
import { forbidden, notFound } from '../../base/problem.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { json } from '../../http/responses/json-response.ts';
import { noContent } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import type { OpenRecord, PresenceStore } from '../../presence/presence-store.ts';
import type { Records } from '../../records/records.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

export interface PresenceParts {
  readonly records: Records;
  readonly types: ContentTypes;
  readonly store: PresenceStore;
  readonly now: () => number;
}

const common = {
  tag: 'presence',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
  path: '/api/v1/admin/presence/{type}/{id}',
  params: { type: Type.String({ description: 'The singular name of a content type.' }), ...idParams },
  headers: tenantHeaders,
} as const;

const presenceSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: recordId,
          name: nullable(Type.String({ description: 'Null for accounts of another tenant.' })),
          since: timeSchema,
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'Presence', additionalProperties: false },
);

/** Who has a record open in the admin. Only accounts have; nobody is kept from anything. */
export const presenceOperations = (parts: PresenceParts): readonly Operation[] => [
  {
    ...common,
    id: 'setPresence',
    method: 'PUT',
    patch: false,
    summary: 'Say that you have a record open',
    description: 'Returns who else has. Say it again every 25 seconds; who did not for 75 seconds has left.',
    responses: { 200: { description: 'The others who have it open.', schema: presenceSchema } },
    problems: [400, 404, 503],
    async handle(context) {
      const { store, records, now } = parts;
      const { open, account } = await openRecord(parts, context);
      const tenant = context.caller.tenant ?? null;
      const others = await records.database.transaction(async (transaction) => {
        await store.note(transaction, open, account, now());
        return store.others(transaction, open, account, now());
      });
      const items = others.map((other) => ({
        id: other.account,
        name: tenant === null || other.tenant === tenant ? workingName(other) : null,
        since: new Date(other.since).toISOString(),
      }));
      return json(200, { items });
    },
  },
  {
    ...common,
    id: 'deletePresence',
    method: 'DELETE',
    summary: 'Say that you have closed a record',
    responses: { 204: { description: 'Noted.' } },
    problems: [400, 404, 503],
    async handle(context) {
      const { open, account } = await openRecord(parts, context);
      await parts.records.database.transaction((transaction) => parts.store.leave(transaction, open, account));
      return noContent();
    },
  },
];

/** 404 for a record that the admin routes do not show the caller. */
async function openRecord(
  { records, types }: PresenceParts,
  context: RequestContext,
): Promise<{ readonly open: OpenRecord; readonly account: string }> {
  const { caller } = context;
  if (caller.kind !== 'account') throw forbidden('not_an_account', 'Only accounts have records open.');
  const type = types.find(context.param('type'));
  if (type === undefined) throw notFound();
  const record = context.param('id');
  await records.get({ type, view: 'admin', caller, id: record, search: '' });
  return { open: { type: type.singular, record }, account: caller.id };
}
