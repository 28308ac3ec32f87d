import { basename } from 'node:path';
import Type from 'typebox';
import { badRequest, conflict, invalid, notFound } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses, unchanged } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { cleanFileName } from '../../media/file-name.ts';
import { type CsvPlan, csvPlanSchema, planFaults } from '../../transfer/csv/csv-plan.ts';
import { typeNamed, typeNames } from '../../transfer/json/record-file-name.ts';
import { transferKey } from '../../transfer/kept/transfer-files.ts';
import {
  beginTransfer,
  enqueueTransfer,
  findTransfer,
  newTransferId,
  removeTransfer,
  type TransferOperationParts,
} from './transfer-requests.ts';
import { importJson, importSchema, importState } from './transfer-schemas.ts';

const root = '/api/v1/admin/imports';
const one = `${root}/{id}`;
const common = { tag: 'transfer', security: 'bearer', roles: ['admin'], installation: true } as const;
const found = { description: 'The import.', schema: importSchema };

const uploadQuery = Type.Object({
  format: Type.Enum(['wordpress', 'records', 'csv'], {
    description:
      '`wordpress`: an export of a WordPress site. `records`: records as JSON, as exports have them. `csv`: the rows of a spreadsheet.',
  }),
  name: Type.String({ minLength: 1, maxLength: 1_000, description: 'The name of the file.' }),
  type: Type.Optional(
    Type.String({
      description: 'Of `records` and `csv`: their content type, by its singular or plural. Default: that of the name.',
    }),
  ),
  with_media: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Of `records` in an archive: take the files of media in its `media/`.',
    }),
  ),
  fetch_files: Type.Optional(
    Type.Boolean({ default: false, description: 'Of `wordpress`: fetch the files of the site from their addresses.' }),
  ),
});

const runQuery = Type.Object({
  skip_other_languages: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Of `wordpress`: leave out what is in a language that the service does not have. Otherwise it becomes records of its own.',
    }),
  ),
});

/** Imports, for admins of the installation: an import brings accounts, ids and owners in, of whichever tenant. */
export function importOperations(parts: TransferOperationParts): readonly Operation[] {
  return [
    listOperation(parts),
    uploadOperation(parts),
    {
      ...common,
      id: 'getImport',
      method: 'GET',
      path: one,
      params: idParams,
      summary: 'Get an import',
      description: 'How far it is, what the check has found, and in the end what was done.',
      responses: { 200: found, 304: unchanged },
      problems: [404, 503],
      async handle(context) {
        const { row, job } = await findTransfer(parts, 'import', context);
        return jsonRead(context.request, importJson(row, job));
      },
    },
    planOperation(parts),
    runOperation(parts),
    {
      ...common,
      id: 'deleteImport',
      method: 'DELETE',
      path: one,
      params: idParams,
      summary: 'Remove an import',
      description: 'With its file. One that is under way ends; the records that it has stored stay.',
      responses: { 204: { description: 'The import is gone.' } },
      problems: [404, 503],
      async handle(context) {
        await removeTransfer(parts, await findTransfer(parts, 'import', context));
        return noContent();
      },
    },
  ];
}

const listOperation = ({ database, store, jobs, settings }: TransferOperationParts): Operation => ({
  ...common,
  id: 'listImports',
  method: 'GET',
  path: root,
  summary: 'List imports',
  description: 'The newest first.',
  query: { schema: Type.Object(pageParameters), validation: 'schema' },
  responses: readResponses('One page of imports.', pageSchema('ImportList', importSchema)),
  problems: [400, 503],
  async handle({ request, query }) {
    const page = readPage(query, settings.cmsMaxPageSize);
    const { rows, total } = await store.page(database, { kind: 'import' }, page);
    const items = await Promise.all(rows.map(async (row) => importJson(row, await jobs.store.get(row.job))));
    return jsonRead(request, { items, total, page: page.page, page_size: page.pageSize });
  },
});

const uploadOperation = (parts: TransferOperationParts): Operation => ({
  ...common,
  id: 'createImport',
  method: 'POST',
  path: root,
  summary: 'Upload a file to import',
  description:
    'The body is the file. It is checked first, which stores nothing: the result says what an import would do. Then `run` begins it.',
  query: { schema: uploadQuery, validation: 'schema' },
  body: { kind: 'stream', mediaTypes: ['*'], maxBytes: parts.settings.importMaxFile },
  responses: { 201: { ...found, headers: locationHeader } },
  problems: [400, 413, 415, 422, 503, 507],
  async handle(context) {
    const { database, media } = parts;
    const asked = askedFor(context, parts.types);
    database.requireRoom?.();
    const id = newTransferId();
    const key = transferKey(id);
    const size = await media.storage.put(key, context.bytes());
    try {
      if (size === 0) throw badRequest('empty_body', 'The file is empty.');
      const row = await database.transaction((transaction) =>
        beginTransfer(parts, transaction, context.caller, { ...asked, id, kind: 'import', size, storage_key: key }),
      );
      return json(201, importJson(row, await parts.jobs.store.get(row.job)), { Location: `${root}/${id}` });
    } catch (error) {
      await media.storage.delete(key);
      throw error;
    }
  },
});

/** What is uploaded; 422 for records of which no type is known. */
function askedFor({ query }: RequestContext, types: ContentTypes) {
  const name = cleanFileName(String(query.name));
  if (query.format === 'wordpress') {
    if (query.with_media === true) {
      throw invalid([{ field: 'with_media', code: 'not_allowed', message: 'Only of records.' }]);
    }
    if (query.type !== undefined) throw invalid([{ field: 'type', code: 'not_allowed', message: 'Only of records.' }]);
    return { format: 'wordpress', type: null, name, fetches: query.fetch_files === true ? 1 : 0 } as const;
  }
  if (query.fetch_files === true) {
    throw invalid([{ field: 'fetch_files', code: 'not_allowed', message: 'Only of a WordPress site.' }]);
  }
  if (query.with_media === true && (query.format === 'csv' || !name.endsWith('.tar'))) {
    throw invalid([
      { field: 'with_media', code: 'not_allowed', message: 'Only of an archive, whose name ends in .tar.' },
    ]);
  }
  if (query.format === 'csv') {
    const type = typeOf(query.type, name, /\.(?:csv|tsv|txt)$/i, types);
    return { format: 'csv', name, type: type.singular, fetches: 0 } as const;
  }
  const records = { format: 'records', name, fetches: query.with_media === true ? 1 : 0 } as const;
  // An archive names the types of its files itself.
  if (query.type === undefined && name.endsWith('.tar')) return { ...records, type: null };
  return { ...records, type: typeOf(query.type, name, /\.(?:nd)?json$/, types).singular };
}

/** The type that is named, or that the file is named after; 422 where there is none. */
function typeOf(named: unknown, file: string, ending: RegExp, types: ContentTypes): ContentType {
  const name = named === undefined ? basename(file).replace(ending, '') : String(named);
  const type = typeNamed(types, name);
  if (type !== undefined) return type;
  const message = `There is no content type “${name}”. There are: ${typeNames(types)}.`;
  throw invalid([{ field: 'type', code: 'unknown_type', message }]);
}

const planOperation = (parts: TransferOperationParts): Operation => ({
  ...common,
  id: 'setImportPlan',
  method: 'PUT',
  patch: false,
  path: `${one}/plan`,
  params: idParams,
  summary: 'Change how a file of CSV is read',
  description: 'The file is checked again by this plan. Of a file that was checked, and of CSV alone.',
  body: { schema: csvPlanSchema, validation: 'schema' },
  responses: { 200: found },
  problems: [404, 409, 422, 503],
  async handle(context) {
    const { store, jobs, lifeMs, database, types } = parts;
    const { row, job } = await findTransfer(parts, 'import', context);
    const type = row.format !== 'csv' || row.type === null ? undefined : types.find(row.type);
    if (type === undefined) throw notFound('This import has no plan.');
    const plan: unknown = await context.body();
    requireRest(importState(row, job));
    if (row.stage !== 'check') throw conflict('import_running', 'The import has begun: upload the file again.');
    const faults = planFaults(plan, type);
    if (faults.length > 0) throw invalid(faults);
    const changed = await database.transaction(async (transaction) => {
      // Checked by the schema of the body, and once more above.
      const sent = { id: row.id, stage: 'check', plan: plan as CsvPlan } as const;
      const next = await enqueueTransfer(jobs, transaction, context.caller, sent);
      const change = { job: next, report: null, expires_at: jobs.now() + lifeMs } as const;
      await store.change(transaction, row.id, change);
      return { ...row, ...change };
    });
    return json(200, { ...importJson(changed, await jobs.store.get(changed.job)), state: 'checking', error: null });
  },
});

/** Throws 409 for an import that is under way, or done. */
function requireRest(state: ReturnType<typeof importState>): void {
  if (state === 'done') throw conflict('import_done', 'The import is done.');
  if (state === 'checking' || state === 'importing') throw conflict('import_running', 'The import is under way.');
}

const runOperation = (parts: TransferOperationParts): Operation => ({
  ...common,
  id: 'runImport',
  method: 'POST',
  path: `${one}/run`,
  params: idParams,
  summary: 'Import a file that was checked',
  description: 'Records with errors are left out. One that failed or was cancelled goes on where it was.',
  once: true,
  query: { schema: runQuery, validation: 'schema' },
  responses: { 200: found },
  problems: [400, 404, 409, 422, 503],
  async handle(context) {
    const { store, jobs, lifeMs } = parts;
    const { row, job } = await findTransfer(parts, 'import', context);
    const skipOtherLanguages = context.query.skip_other_languages === true;
    if (skipOtherLanguages && row.format !== 'wordpress') {
      throw invalid([{ field: 'skip_other_languages', code: 'not_allowed', message: 'Only of a WordPress site.' }]);
    }
    requireRest(importState(row, job));
    if (row.report === null) throw conflict('import_not_checked', 'The file could not be checked.');
    return context.respondInTransaction(
      jobs.runInTransaction,
      async (transaction) => {
        const work = { id: row.id, stage: 'import', skipOtherLanguages } as const;
        const next = await enqueueTransfer(jobs, transaction, context.caller, work);
        const change = { stage: 'import', job: next, expires_at: jobs.now() + lifeMs } as const;
        await store.change(transaction, row.id, change);
        return { ...row, ...change };
      },
      (begun) => jsonReply(200, { ...importJson(begun, undefined), state: 'importing', error: null }),
    );
  },
});
