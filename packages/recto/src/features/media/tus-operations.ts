import Type from 'typebox';
import { Problem } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import type { MediaWriter } from '../../media/media-writer.ts';
import { type ResumableUploads, unfinishedLimits } from '../../media/resumable-uploads.ts';
import { methodOverride, tusExtensions, tusVersion } from './tus-protocol.ts';

export interface TusParts {
  readonly type: ContentType;
  readonly writer: MediaWriter;
  readonly uploads: ResumableUploads;
}

export const uploadsPath = '/api/v1/media/uploads';

const one = `${uploadsPath}/{upload}`;
const params = { upload: Type.String({ description: 'The upload, as `Location` names it.' }) };
const offsetStream = 'application/offset+octet-stream';
const protocol = { 'Tus-Resumable': Type.String({ description: 'The version of the protocol: `1.0.0`.' }) };

/** Uploads that go on after a break: the protocol tus 1.0 (https://tus.io). */
export function tusOperations(parts: TusParts): readonly Operation[] {
  const { maxBytes } = parts.writer.limits;
  const shared = {
    tag: parts.type.name,
    security: 'bearer',
    optionsHeaders: {
      'Tus-Version': tusVersion,
      'Tus-Extension': tusExtensions.join(','),
      'Tus-Max-Size': String(maxBytes),
    },
    handle: (context: RequestContext) => answer(context, parts),
  } as const;
  const state = {
    'Upload-Offset': { description: 'How many bytes have arrived.', optional: true },
    'Upload-Expires': { description: 'Until when the upload can go on.', optional: true },
    'Recto-Media': { description: 'The id of the record, once all bytes have arrived.', optional: true },
  } as const;
  return [
    {
      ...shared,
      id: 'createUpload',
      method: 'POST',
      path: uploadsPath,
      summary: 'Begin an upload that can be resumed (tus 1.0)',
      description: `\`Upload-Metadata\` may name \`filename\`, \`alt\`, \`caption\`, \`folder\` and \`visibility\`. At most ${unfinishedLimits.uploads} uploads of each caller can be unfinished, and ${unfinishedLimits.files} times the maximum file size: 409 \`too_many_uploads\`.`,
      headers: {
        ...protocol,
        'Upload-Length': Type.String({ description: 'The size of the file in bytes.' }),
        'Upload-Metadata': Type.String({ description: 'Names and values in Base64.' }),
      },
      responses: {
        201: { description: 'The upload has begun.', headers: { Location: { description: 'Where it goes on.' } } },
      },
      problems: [403, 409, 412, 413, 503, 507],
    },
    {
      ...shared,
      id: 'getUpload',
      method: 'GET',
      path: one,
      summary: 'Find how much of an upload has arrived (with HEAD)',
      // The record of an upload whose bytes have all arrived.
      stores: true,
      params,
      headers: protocol,
      responses: { 200: { description: 'The state of the upload.', headers: state } },
      problems: [403, 404, 412, 503],
    },
    {
      ...shared,
      id: 'continueUpload',
      method: 'PUT',
      path: one,
      summary: 'Send bytes of an upload (with PATCH)',
      params,
      headers: { ...protocol, 'Upload-Offset': Type.String({ description: 'Where the bytes begin.' }) },
      body: { kind: 'stream', mediaTypes: [offsetStream], maxBytes },
      responses: { 204: { description: 'The bytes are stored.', headers: state } },
      problems: [403, 404, 409, 412, 422, 503, 507],
    },
    {
      ...shared,
      id: 'overrideUploadMethod',
      method: 'POST',
      path: one,
      summary: 'PATCH, HEAD or DELETE an upload by POST',
      description: 'For clients that cannot send these methods.',
      params,
      headers: { ...protocol, [methodOverride]: Type.String({ description: '`PATCH`, `HEAD` or `DELETE`.' }) },
      body: { kind: 'stream', mediaTypes: [offsetStream], maxBytes },
      responses: {
        200: { description: 'The state of the upload.', headers: state },
        204: { description: 'The bytes are stored, or the upload is gone.', headers: state },
      },
      problems: [403, 404, 409, 412, 422, 503, 507],
      handle: (context) => answer(context, parts, overridden(context.request)),
    },
    {
      ...shared,
      id: 'removeUpload',
      method: 'DELETE',
      path: one,
      summary: 'Give an upload up',
      params,
      headers: protocol,
      responses: { 204: { description: 'The upload is gone.' } },
      problems: [403, 404, 412, 503],
    },
  ];
}

/** The request as its client means it; 405 for one that names no method of an upload. */
function overridden(request: Request): Request {
  const method = request.headers.get(methodOverride)?.toUpperCase() ?? '';
  if (!['PATCH', 'HEAD', 'DELETE'].includes(method)) throw notTaken();
  return new Request(request, method === 'PATCH' ? { method } : { method, body: null });
}

async function answer(
  context: RequestContext,
  { writer, uploads }: TusParts,
  request = context.request,
): Promise<Response> {
  const { caller } = context;
  // HEAD, PATCH: those for which the operations of GET and PUT stand.
  if (request.method === 'GET' || request.method === 'PUT') throw notTaken();
  if (request.headers.get('Tus-Resumable') !== tusVersion) throw otherVersion();
  writer.requireCreate({ caller, admin: false });
  // Loaded when it is first used.
  const [{ Server }, { TusStore }] = await Promise.all([import('@tus/server'), import('./tus-store.ts')]);
  const datastore = new TusStore(uploads, caller);
  const finish = async (id: string): Promise<Record<string, string>> => ({
    'Recto-Media': await uploads.finish(caller, await uploads.find(caller, id)),
  });
  let finishing: Problem | undefined;
  const server = new Server({
    path: uploadsPath,
    relativeLocation: true,
    datastore,
    maxSize: writer.limits.maxBytes,
    async onUploadFinish(_, { id }) {
      try {
        return { headers: await finish(id) };
      } catch (error) {
        if (error instanceof Problem) finishing = error;
        throw error;
      }
    },
  });
  const response = await server.handleWeb(request);
  const failure = datastore.failure ?? finishing;
  if (failure !== undefined) throw failure;
  const headers = new Headers(response.headers);
  // The settings say which origins may read answers.
  for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
  if (request.method === 'HEAD' && response.ok)
    await addRecord(headers, context.param('upload'), finish, uploads, caller);
  return new Response(response.body, { status: response.status, headers });
}

/** An upload whose bytes had all arrived when the service ended has no record yet. */
async function addRecord(
  headers: Headers,
  id: string,
  finish: (id: string) => Promise<Record<string, string>>,
  uploads: ResumableUploads,
  caller: RequestContext['caller'],
): Promise<void> {
  const { offset, size } = await uploads.find(caller, id);
  if (offset !== size) return;
  for (const [name, value] of Object.entries(await finish(id))) headers.set(name, value);
}

/** Section "Tus-Version" of the protocol. */
const otherVersion = (): Problem =>
  new Problem(
    412,
    'unsupported_version',
    `Tus-Resumable must be ${tusVersion}: uploads follow this version of tus alone.`,
    {
      headers: { 'Tus-Version': tusVersion, 'Tus-Resumable': tusVersion },
    },
  );

const notTaken = (): Problem =>
  new Problem(405, 'method_not_allowed', 'This path answers HEAD, PATCH, DELETE.', {
    headers: { Allow: 'DELETE, HEAD, PATCH' },
  });
