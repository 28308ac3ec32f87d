import Type from 'typebox';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { json } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { itemLanguage, placeLanguage } from '../../releases/item-language.ts';
import { respondToWrite } from '../records/respond-to-write.ts';
import { type ReleaseParts, releaseCaller, releasedType, releasesCommon, releasesRoot } from './release-parts.ts';
import { itemBody, itemJson, itemSchema } from './release-schemas.ts';

const items = `${releasesRoot}/{id}/items/{type}`;
const body = new CheckedBody(itemBody);
const params = { ...idParams, type: Type.String({ description: 'A content type, by its singular or plural name.' }) };
const recordParams = {
  ...params,
  record: Type.String({ description: 'The id of a record, or of the item of one that begins with the release.' }),
};
const content = Type.Object({}, { additionalProperties: true, description: 'The fields of the record.' });
const language = Type.Optional(
  Type.String({
    maxLength: 35,
    description: 'The language that the item is about. Default: the first of the service.',
  }),
);

/** The records of releases. */
export const itemOperations = (parts: ReleaseParts): readonly Operation[] => [
  {
    ...releasesCommon,
    id: 'putReleaseItem',
    method: 'PUT',
    patch: false,
    path: `${items}/{record}`,
    params: recordParams,
    summary: 'Put a record into a release',
    description:
      'With changes of its own, which neither the record nor its draft has until the release is published. What the release held of the record before is replaced. Takes the right to do so at once.',
    body: body.declaration,
    responses: { 200: { description: 'The item.', schema: itemSchema } },
    problems: [400, 403, 404, 409, 422, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const type = releasedType(parts, context);
      const { action, changes = {}, language } = await body.read(context);
      const releases = await parts.releases();
      const tag = itemLanguage(parts.types, type, language);
      const place = { id: context.param('id'), type, record: context.param('record'), language: tag };
      const write = await releases.preparePutItem(caller, place, { action, changes });
      const item = await parts.records.runInTransaction(write);
      return json(200, itemJson(item, releases.sight(caller)));
    },
  },
  {
    ...releasesCommon,
    id: 'addReleaseItem',
    method: 'POST',
    once: true,
    path: items,
    params,
    summary: 'Put a new record into a release',
    description:
      'The record begins with the release. It need not be whole before that. Relations of other new records of the release name it by the id of its item, which is the id that it gets.',
    body: { schema: content, validation: 'own' },
    responses: { 201: { description: 'The item.', schema: itemSchema, headers: locationHeader } },
    problems: [400, 403, 404, 409, 422, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const type = releasedType(parts, context);
      const values = await context.body();
      const releases = await parts.releases();
      const id = context.param('id');
      await releases.get(caller, id);
      const write = await releases.prepareNewItem(caller, { id, type }, values);
      return respondToWrite(context, parts.records, write, (item) =>
        jsonReply(201, itemJson(item, releases.sight(caller)), {
          Location: `${releasesRoot}/${id}/items/${type.singular}/${item.id}`,
        }),
      );
    },
  },
  {
    ...releasesCommon,
    id: 'removeReleaseItem',
    method: 'DELETE',
    path: `${items}/{record}`,
    params: recordParams,
    query: { schema: Type.Object({ language }), validation: 'schema' },
    summary: 'Take a record out of a release',
    responses: { 204: { description: 'It is not part of the release.' } },
    problems: [400, 404, 409, 503],
    handle: async (context) => {
      const caller = releaseCaller(context);
      const type = releasedType(parts, context);
      const releases = await parts.releases();
      const { language: sent } = context.query;
      const tag = sent === undefined ? null : placeLanguage(parts.types, String(sent));
      const place = { id: context.param('id'), type, record: context.param('record'), language: tag };
      await parts.records.database.transaction((transaction) => releases.removeItem(transaction, caller, place));
      return noContent();
    },
  },
];
