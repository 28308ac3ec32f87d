import Type from 'typebox';
import { mapMaybe } from '../../base/maybe-promise.ts';
import { listTags } from '../../builtin/tag-counts.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { responseOf } from '../../http/responses/reply.ts';
import { pageSchema, unchanged } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import type { MediaWriter } from '../../media/media-writer.ts';
import { batchActionsOf } from '../../records/batch/batch-action.ts';
import type { Records } from '../../records/records.ts';
import { tagSchema } from '../publications/tags-operation.ts';
import { aggregateOperations } from '../records/aggregate-operation.ts';
import { batchOperation } from '../records/batch-operation.ts';
import { languageOperations } from '../records/language-operation.ts';
import {
  commonProblems,
  createdHeaders,
  ifMatch,
  ifMatchHeader,
  jsonResponse,
  recordOperation,
  security,
  taggedHeaders,
} from '../records/record-operation.ts';
import { readResponse, writeReply, writeResponse } from '../records/record-response.ts';
import { recordSchema } from '../records/record-schemas.ts';
import { usageSchema } from '../records/usage-operation.ts';
import { type FetchParts, fetchOperation } from './fetch-operation.ts';
import { type ServeParts, serveOperations } from './serve-operations.ts';
import { signOperation } from './sign-operation.ts';
import { readUpload, uploadBody, uploadFields } from './upload-body.ts';

export interface MediaOperationParts extends ServeParts, Pick<FetchParts, 'fetcher'> {
  readonly type: ContentType;
  readonly records: Records;
  readonly writer: MediaWriter;
}

/** The routes of files: their records, uploads, and their bytes. */
export function mediaOperations(parts: MediaOperationParts): readonly Operation[] {
  const { type, records } = parts;
  return [
    ...recordOperations(parts, '/api/v1/media', false),
    ...recordOperations(parts, '/api/v1/admin/media', true),
    tagsOperation(parts),
    ...languageOperations(type, records, { public: '/api/v1/media', admin: '/api/v1/admin/media' }),
    batchOperation(type, records, { base: '/api/v1/admin/media', actions: batchActionsOf(type) }),
    usesOperation(parts),
    fetchOperation(parts),
    signOperation(parts),
    ...serveOperations(parts),
  ];
}

function recordOperations(parts: MediaOperationParts, path: string, admin: boolean): readonly Operation[] {
  const { type, records } = parts;
  const one = `${path}/{id}`;
  return [
    recordOperation(type, records, { method: 'GET', path, action: 'list', admin }),
    recordOperation(type, records, { method: 'GET', path: one, action: 'get', admin }),
    recordOperation(type, records, { method: 'PUT', path: one, action: 'update', admin }),
    recordOperation(type, records, { method: 'DELETE', path: one, action: 'delete', admin }),
    ...aggregateOperations(type, records, { path, admin }),
    uploadOperation(parts, path, admin),
    replaceOperation(parts, `${one}/file`, admin),
  ];
}

const uploadQuery = {
  validation: 'schema',
  schema: Type.Object({
    name: Type.Optional(Type.String({ description: 'The name of the file.', maxLength: 10_000 })),
    alt: Type.Optional(Type.String()),
    caption: Type.Optional(Type.String()),
    folder: Type.Optional(Type.String()),
    visibility: Type.Optional(Type.Enum(['public', 'private'])),
  }),
} as const;

const uploadProblems = [...commonProblems(403, 413, 415, 422), 507] as const;

function uploadOperation({ type, records, writer }: MediaOperationParts, path: string, admin: boolean): Operation {
  const fields = uploadFields(type);
  return {
    id: admin ? 'adminUploadMedia' : 'uploadMedia',
    method: 'POST',
    path,
    tag: type.name,
    summary: `Upload a file${admin ? ' (admin)' : ''}`,
    description:
      'Takes a form with the part `file` and the fields of the record, or the bytes alone with `?name=`. The type is found from the bytes.',
    ...security(type, { action: 'create', admin }),
    query: uploadQuery,
    body: uploadBody(fields, writer.limits.maxBytes),
    responses: {
      201: jsonResponse(
        'The new record.',
        () => recordSchema(type, admin ? 'admin' : 'create', records.types),
        createdHeaders,
      ),
    },
    problems: uploadProblems,
    async handle(context) {
      const request = { caller: context.caller, admin };
      writer.requireCreate(request);
      const { file, payload } = await readUpload(context, writer, fields);
      const created = await writer.create(request, file, payload);
      return responseOf(writeReply(created.answer, 201, `${path}/${created.id}`));
    },
  };
}

const noFields: readonly Field[] = [];

function replaceOperation({ type, records, writer }: MediaOperationParts, path: string, admin: boolean): Operation {
  return {
    id: admin ? 'adminReplaceMediaFile' : 'replaceMediaFile',
    method: 'PUT',
    patch: false,
    path,
    tag: type.name,
    summary: `Replace the bytes of a file${admin ? ' (admin)' : ''}`,
    description:
      'The record keeps its id and its other fields. The old bytes are removed, unless another record has them.',
    ...security(type, { action: 'update', admin }),
    params: idParams,
    headers: ifMatchHeader,
    body: uploadBody(noFields, writer.limits.maxBytes),
    responses: {
      200: jsonResponse(
        'The record as it is now.',
        () => recordSchema(type, admin ? 'admin' : 'update', records.types),
        taggedHeaders,
      ),
    },
    problems: [...uploadProblems, 404, 409],
    async handle(context) {
      const request = { caller: context.caller, admin };
      const id = context.param('id');
      await writer.requireUpdate(request, id);
      const { file } = await readUpload(context, writer, noFields);
      return writeResponse(await writer.replace(request, id, file, ifMatch(context)), 200);
    },
  };
}

/** The records that show a file, and those whose drafts do. */
function usesOperation({ type, records }: MediaOperationParts): Operation {
  return {
    id: 'adminListMediaUses',
    method: 'GET',
    path: '/api/v1/admin/media/{id}/uses',
    tag: type.name,
    summary: 'List the records that show a file',
    description: 'A page of them; and the records whose drafts show it, at most 100 of each type.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'get' },
    params: idParams,
    query: { schema: Type.Object(pageParameters), validation: 'schema' },
    responses: { 200: jsonResponse('What shows the file.', () => usesSchema), 304: unchanged },
    problems: commonProblems(404),
    async handle(context) {
      const request = { type, id: context.param('id'), caller: context.caller };
      const usage = await records.usage(request, readPage(context.query, records.limits.maxPageSize));
      // An answer is JSON text.
      return jsonRead(context.request, { ...JSON.parse(String(usage.body)), drafts: await records.draftUses(request) });
    },
  };
}

const usesSchema = Type.Object(
  {
    ...usageSchema.properties,
    drafts: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: 'The singular name of the type of the record.' }),
          id: recordId,
          fields: Type.Array(Type.String(), { description: 'The fields of its draft that show the file.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'MediaUses', additionalProperties: false },
);

/** The tags of all files. */
function tagsOperation({ type, records }: MediaOperationParts): Operation {
  return {
    id: 'adminListMediaTags',
    method: 'GET',
    path: '/api/v1/admin/media/tags',
    tag: type.name,
    summary: 'List the tags of files',
    description: 'The most used first, with the number of files that have each.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'list' },
    query: { schema: Type.Object(pageParameters), validation: 'schema' },
    responses: {
      200: { description: 'A page of tags.', schema: pageSchema('MediaTagList', tagSchema) },
      304: unchanged,
    },
    problems: commonProblems(),
    handle: (context) => {
      const { caller, query } = context;
      const page = readPage(query, records.limits.maxPageSize);
      return mapMaybe(listTags(records, { type, audience: 'admin', caller }, page), (answer) =>
        readResponse(answer, context),
      );
    },
  };
}
