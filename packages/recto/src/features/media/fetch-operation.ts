import Type from 'typebox';
import { Problem, unavailable } from '../../base/problem.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { TransactionWork } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { responseOf } from '../../http/responses/reply.ts';
import { FetchFailed, type FileFetcher, fetchedFile } from '../../media/fetched-file.ts';
import type { IngestedFile } from '../../media/ingest-file.ts';
import type { MediaRequest, MediaWriter } from '../../media/media-writer.ts';
import type { Answer } from '../../records/answers/answer.ts';
import type { Records } from '../../records/records.ts';
import type { Created } from '../../records/write/create-record.ts';
import { commonProblems, createdHeaders, jsonResponse, security, taggedHeaders } from '../records/record-operation.ts';
import { writeReply } from '../records/record-response.ts';
import { recordSchema } from '../records/record-schemas.ts';

export interface FetchParts {
  readonly type: ContentType;
  readonly records: Records;
  readonly writer: MediaWriter;
  readonly fetcher: FileFetcher;
}

const path = '/api/v1/admin/media/fetch';

const body = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Where the picture is: a public `http` or `https` address.',
    }),
    alt: Type.Optional(Type.String({ maxLength: 2000, description: 'The alternative text of a new file.' })),
  },
  { $id: 'MediaFetch', additionalProperties: false },
);

const atATime = 4;
const mostWaiting = 100;
const turns = new Semaphore({ running: atATime, waiting: mostWaiting }, () =>
  unavailable('busy', 'Too many pictures are being fetched at the moment. Try again shortly.'),
);

/** Adds a picture of another site to the library. */
export function fetchOperation(parts: FetchParts): Operation {
  const { type, records, writer } = parts;
  const schema = () => recordSchema(type, 'admin', records.types);
  return {
    id: 'adminFetchMedia',
    method: 'POST',
    path,
    tag: type.name,
    summary: 'Fetch a picture from its address',
    description:
      'The service gets the picture and adds it to the library. Where the library has a public file with the same bytes that the caller may list, that one is returned.',
    ...security(type, { action: 'create', admin: true }),
    body: { schema: body, validation: 'schema' },
    once: true,
    responses: {
      200: jsonResponse('The file that the library has already.', schema, taggedHeaders),
      201: jsonResponse('The new record.', schema, createdHeaders),
    },
    problems: [...commonProblems(403, 413, 415, 422), 507],
    async handle(context) {
      const { url, alt } = await context.body();
      const request = { caller: context.caller, admin: true };
      writer.requireCreate(request);
      const address = String(url);
      const file = await turns.run(() => fetched(parts, address));
      const known = await before(parts, request, file);
      if (known === undefined) return stored(parts, context, file, { name: nameOf(address, file), alt: alt ?? null });
      await writer.discard(file);
      return responseOf(writeReply(known, 200));
    },
  };
}

/** Pictures alone, and of these what the settings allow. */
function pictureTypes({ limits: { types } }: MediaWriter): readonly string[] {
  if (types.length === 0 || types.includes('*/*')) return ['image/*'];
  const pictures = types.filter((type) => type.startsWith('image/'));
  if (pictures.length === 0) throw new Problem(415, 'media_type_not_allowed', 'Pictures are not taken.');
  return pictures;
}

async function fetched({ writer, fetcher }: FetchParts, address: string): Promise<IngestedFile> {
  try {
    return await writer.ingest(fetchedFile(withoutFragment(address), fetcher), pictureTypes(writer));
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    const details = { errors: [], cause: error };
    if (error.isRefused)
      throw new Problem(422, 'address_not_allowed', 'The address leads to no public place.', details);
    throw new Problem(422, 'fetch_failed', `The picture could not be fetched: ${error.message}.`, details);
  }
}

/** Which part of a page to show is nothing that a server gets. */
const withoutFragment = (address: string): string => address.replace(/#.*$/s, '');

/** The first public file with the same bytes, of those that the caller may list. */
async function before(
  { type, records }: FetchParts,
  { caller }: MediaRequest,
  { hash }: IngestedFile,
): Promise<Answer | undefined> {
  const search = new URLSearchParams({
    filter: `hash = "${hash}" && visibility = "public"`,
    ...{ sort: 'created_at:asc', page_size: '1', skip_total: 'true' },
  });
  try {
    const { body: page } = await records.list(type, 'admin', caller, search.toString());
    const id = firstId(JSON.parse(typeof page === 'string' ? page : new TextDecoder().decode(page)));
    return id === undefined ? undefined : await records.get({ type, view: 'admin', caller, id, search: '' });
  } catch (error) {
    // Of a role that may add files and list none, or one that was removed in between.
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

function firstId({ items }: { readonly items?: unknown }): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(items) ? items : [];
  if (typeof first !== 'object' || first === null || !('id' in first)) return undefined;
  return typeof first.id === 'string' ? first.id : undefined;
}

/** The last part of its path, with an ending that names its type. */
function nameOf(address: string, { mimeType }: IngestedFile): string | undefined {
  const last = decoded(new URL(address).pathname.split('/').at(-1) ?? '');
  if (last === '' || /\.[a-z0-9]{2,5}$/i.test(last)) return last === '' ? undefined : last;
  return `${last}.${mimeType.split('/')[1]?.replace(/\+.*$/, '')}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface NewFile {
  readonly name: string | undefined;
  readonly alt: unknown;
}

/** Stores the record, and with it what a repeated request is answered. */
function stored(
  { writer }: FetchParts,
  context: RequestContext,
  file: IngestedFile,
  { name, alt }: NewFile,
): Promise<Response> {
  const request = { caller: context.caller, admin: true };
  let made: Created | undefined;
  return context.respondInTransaction(
    async <T>(work: TransactionWork<T>) => {
      const done: T[] = [];
      await writer.create(request, file, name === undefined ? { alt } : { name, alt }, async (transaction, created) => {
        made = created;
        done[0] = await work(transaction);
      });
      const [result] = done;
      if (result === undefined) throw new Error('A file was stored without its answer.');
      return result;
    },
    async () => {
      if (made === undefined) throw new Error('A file was stored without a record.');
      return made;
    },
    (created) => writeReply(created.answer, 201, `/api/v1/admin/media/${created.id}`),
  );
}
