import Type from 'typebox';
import { callerTenant, tenantAsked } from '../../base/caller.ts';
import { conflict, type FieldFault, invalid } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses, unchanged } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import { isMedia } from '../../transfer/json/media-facts.ts';
import { recordFileName, typeNamed } from '../../transfer/json/record-file-name.ts';
import { sendFile } from '../media/send-file.ts';
import {
  beginTransfer,
  findTransfer,
  type NewTransfer,
  newTransferId,
  removeTransfer,
  type TransferOperationParts,
} from './transfer-requests.ts';
import { exportJson, exportSchema } from './transfer-schemas.ts';

const root = '/api/v1/admin/exports';
const one = `${root}/{id}`;
const common = { tag: 'transfer', security: 'bearer', roles: ['admin'] } as const;
const found = { description: 'The export.', schema: exportSchema };

const body = new CheckedBody({
  type: Type.Optional(Type.String({ description: 'A content type, by its singular or plural. Default: all types.' })),
  with_media: Type.Optional(
    Type.Boolean({ description: 'With the files of media, in `media/` of an archive. Of all types, or of `media`.' }),
  ),
});

/** Exports, for admins: one of a tenant gets the records of the tenant. */
export function exportOperations(parts: TransferOperationParts): readonly Operation[] {
  return [
    listOperation(parts),
    createOperation(parts),
    {
      ...common,
      id: 'getExport',
      method: 'GET',
      path: one,
      params: idParams,
      summary: 'Get an export',
      responses: { 200: found, 304: unchanged },
      problems: [404, 503],
      async handle(context) {
        const { row, job } = await findTransfer(parts, 'export', context);
        return jsonRead(context.request, exportJson(row, job));
      },
    },
    fileOperation(parts),
    {
      ...common,
      id: 'deleteExport',
      method: 'DELETE',
      path: one,
      params: idParams,
      summary: 'Remove an export',
      description: 'With its file. One that is under way ends.',
      responses: { 204: { description: 'The export is gone.' } },
      problems: [404, 503],
      async handle(context) {
        await removeTransfer(parts, await findTransfer(parts, 'export', context));
        return noContent();
      },
    },
  ];
}

const listOperation = ({ database, store, jobs, settings }: TransferOperationParts): Operation => ({
  ...common,
  id: 'listExports',
  method: 'GET',
  path: root,
  summary: 'List exports',
  description: 'The newest first; for admins of a tenant, those of the tenant.',
  query: { schema: Type.Object(pageParameters), validation: 'schema' },
  responses: readResponses('One page of exports.', pageSchema('ExportList', exportSchema)),
  problems: [400, 503],
  async handle({ request, query, caller }) {
    const page = readPage(query, settings.cmsMaxPageSize);
    const filter = { kind: 'export', tenant: callerTenant(caller) ?? undefined } as const;
    const { rows, total } = await store.page(database, filter, page);
    const items = await Promise.all(rows.map(async (row) => exportJson(row, await jobs.store.get(row.job))));
    return jsonRead(request, { items, total, page: page.page, page_size: page.pageSize });
  },
});

const createOperation = (parts: TransferOperationParts): Operation => ({
  ...common,
  id: 'createExport',
  stepUp: 'sessions',
  method: 'POST',
  path: root,
  summary: 'Export records',
  description:
    'Of one type as lines of JSON (`application/x-ndjson`), of all types as an archive of such files (tar). Private fields are part of it; hashes of passwords, accounts and revisions are not. A job writes the file, which is kept for a day.',
  once: true,
  headers: tenantHeaders,
  body: body.declaration,
  responses: { 202: { ...found, headers: locationHeader } },
  problems: [400, 422, 503],
  async handle(context) {
    const { type: name, with_media: withMedia = false } = await body.read(context);
    const type = name === undefined ? undefined : exportedType(name, parts.types, context);
    if (withMedia) requireMedia(type, context);
    parts.database.requireRoom?.();
    const id = newTransferId();
    const made: NewTransfer = {
      ...({ id, kind: 'export', format: 'records' } as const),
      ...{ type: type?.singular ?? null, size: null, storage_key: null },
      ...{ name: exportName(type, withMedia), fetches: withMedia ? 1 : 0 },
    };
    return context.respondInTransaction(
      parts.jobs.runInTransaction,
      (transaction) => beginTransfer(parts, transaction, context.caller, made),
      (row) => jsonReply(202, { ...exportJson(row, undefined), state: 'exporting' }, { Location: `${root}/${id}` }),
    );
  },
});

function exportedType(name: string, types: ContentTypes, { caller }: RequestContext): ContentType {
  const type = typeNamed(types, name);
  if (type === undefined) throw invalid([fault('unknown_type', 'There is no such content type.')]);
  if (tenantAsked(caller) === null || type.partition !== null) return type;
  throw invalid([fault('not_allowed', 'Records of this type belong to no tenant.')]);
}

/** Files belong to no tenant, as their records do. */
function requireMedia(type: ContentType | undefined, { caller }: RequestContext): void {
  const isWhole = type === undefined || isMedia(type);
  if (isWhole && tenantAsked(caller) === null) return;
  const message = isWhole ? 'Files belong to no tenant.' : 'Files go with all types, or with the type media.';
  throw invalid([{ field: 'with_media', code: 'not_allowed', message }]);
}

const exportName = (type: ContentType | undefined, withMedia: boolean): string => {
  if (type === undefined) return 'export.tar';
  return withMedia ? `${type.plural}.tar` : recordFileName(type);
};

const fault = (code: string, message: string): FieldFault => ({ field: 'type', code, message });

const fileHeaders = {
  ETag: { description: 'Entity tag of the file; strong.' },
  'Content-Disposition': { description: '`attachment`, with the name of the file.' },
} as const;

const fileOperation = (parts: TransferOperationParts): Operation => ({
  ...common,
  id: 'getExportFile',
  stepUp: 'sessions',
  method: 'GET',
  path: `${one}/file`,
  params: idParams,
  summary: 'Download an export',
  description: 'Lines of JSON, or a tar archive of such files. Answers `Range` requests.',
  headers: {
    Range: Type.String({ description: 'The bytes that are wanted: one range.' }),
    'If-Range': Type.String({ description: 'The entity tag for which the range is meant.' }),
  },
  responses: {
    200: { description: 'The file.', mediaType: '*/*', headers: fileHeaders },
    206: {
      description: 'The bytes of the range.',
      mediaType: '*/*',
      headers: { ...fileHeaders, 'Content-Range': { description: 'Which bytes these are.' } },
    },
    304: { description: 'The client has the file already (`If-None-Match`).' },
  },
  problems: [404, 409, 416, 503, 507],
  async handle(context) {
    const { row } = await findTransfer(parts, 'export', context);
    const { id, name, size, storage_key: key } = row;
    if (key === null || size === null) throw conflict('export_not_done', 'The export is not done.');
    return sendFile(context, parts.media.storage, {
      ...{ key, size, name, etag: `"${id}"`, cacheControl: 'private, no-store', negotiated: false, isDownload: true },
      mimeType: name.endsWith('.tar') ? 'application/x-tar' : 'application/x-ndjson',
    });
  },
});
