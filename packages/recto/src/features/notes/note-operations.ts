import Type from 'typebox';
import { type AuthenticatedCaller, isAuthenticated } from '../../base/caller.ts';
import { invalid } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { textFaults } from '../../http/bodies/text-faults.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { noContent, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import type { Notes } from '../../notes/notes.ts';
import type { Records } from '../../records/records.ts';
import { schemaName } from '../records/schema-name.ts';
import { newNote, noteChange, noteJson, noteListSchema, noteSchema, resolution } from './note-schemas.ts';

/** What the operations on notes work with. */
export interface NoteParts {
  readonly records: Records;
  /** Loaded when it is first used. */
  readonly notes: () => Promise<Notes>;
}

const newBody = new CheckedBody(newNote);
const changeBody = new CheckedBody(noteChange);
const resolveBody = new CheckedBody(resolution);

const root = '/api/v1/admin/notes';
const common = { tag: 'notes', security: 'bearer', roles: ['admin', 'editor'], headers: tenantHeaders } as const;
const each = { ...common, right: { any: true }, params: idParams } as const;

const listParameters = Type.Object({
  resolved: Type.Optional(Type.Boolean({ description: 'Only threads that are closed, or only open ones.' })),
});

function noteCaller({ caller }: RequestContext): AuthenticatedCaller {
  if (!isAuthenticated(caller)) throw new Error('The operation has roles.');
  return caller;
}

/** The notes on records of a type. Who reads a record reads the notes on it that are about fields which they read. */
export function notesOfType(type: ContentType, { records, notes }: NoteParts): readonly Operation[] {
  const base = recordsPath(type);
  if (base === undefined) return [];
  const path = `${base}/{id}/notes`;
  const ofType = { ...common, path, right: { type: type.singular, action: 'get' }, params: idParams } as const;
  return [
    {
      ...ofType,
      id: `list${schemaName(type)}RecordNotes`,
      method: 'GET',
      summary: `List the notes on a record (${type.name})`,
      description: 'Those on fields that you read. First notes of threads and replies, in the order of their writing.',
      query: { schema: listParameters, validation: 'schema' },
      responses: readResponses('The notes.', noteListSchema),
      problems: [400, 404, 503],
      async handle(context) {
        const found = await (await notes()).list(noteCaller(context), type, context.param('id'));
        const { resolved } = context.query;
        const closed = new Map(found.map(({ id, resolvedAt }) => [id, resolvedAt !== null]));
        const items = found.filter(
          ({ id, parent }) => resolved === undefined || (closed.get(parent ?? id) ?? false) === resolved,
        );
        return jsonRead(context.request, { items: items.map(noteJson) });
      },
    },
    {
      ...ofType,
      id: `create${schemaName(type)}RecordNote`,
      method: 'POST',
      once: true,
      summary: `Write a note on a record (${type.name})`,
      description: 'On the record, one of its fields, or a passage of it; or a reply to another note.',
      body: newBody.declaration,
      responses: { 201: { description: 'The note.', schema: noteSchema } },
      problems: [400, 404, 409, 422, 503],
      async handle(context) {
        const caller = noteCaller(context);
        const {
          text,
          mentions = [],
          field = null,
          language = null,
          quote = null,
          parent_id,
        } = await newBody.read(context);
        requireStorable({ text, ...(quote === null ? {} : quote) });
        const input = {
          ...{ text, mentions, field, language, parent: parent_id ?? null },
          quote: quote === null ? null : { exact: quote.exact, prefix: quote.prefix ?? '', suffix: quote.suffix ?? '' },
        };
        const place = { type, record: context.param('id') };
        const service = await notes();
        return context.respondInTransaction(
          (run) => records.database.transaction(run),
          (transaction) => service.create(transaction, caller, place, input),
          (note) => jsonReply(201, noteJson(note), {}),
        );
      },
    },
  ];
}

/** Where the records of a type are for editors; undefined for those that the form of a record is not for. */
function recordsPath({ singular, plural, ownRoutes }: ContentType): string | undefined {
  if (ownRoutes !== true) return `/api/v1/admin/cms/${plural}`;
  return singular === 'post' || singular === 'page' ? `/api/v1/admin/${plural}` : undefined;
}

/** One note, by its id. */
export const noteOperations = ({ records, notes }: NoteParts): readonly Operation[] => [
  {
    ...each,
    id: 'updateNote',
    method: 'PUT',
    path: `${root}/{id}`,
    summary: 'Change a note of your own',
    description: 'Members that are left out stay.',
    body: changeBody.declaration,
    responses: { 200: { description: 'The note.', schema: noteSchema } },
    problems: [400, 404, 422, 503],
    async handle(context) {
      const caller = noteCaller(context);
      const { text, mentions } = await changeBody.read(context);
      requireStorable({ text });
      const input = { ...(text === undefined ? {} : { text }), ...(mentions === undefined ? {} : { mentions }) };
      const service = await notes();
      const id = context.param('id');
      const note = await records.database.transaction((transaction) => service.update(transaction, caller, id, input));
      return json(200, noteJson(note));
    },
  },
  {
    ...each,
    id: 'deleteNote',
    method: 'DELETE',
    path: `${root}/{id}`,
    summary: 'Delete a note',
    description: 'One of your own to which nobody else has replied; admins delete any, with its replies.',
    responses: { 204: { description: 'The note is gone.' } },
    problems: [400, 404, 409, 503],
    async handle(context) {
      const caller = noteCaller(context);
      const service = await notes();
      await records.database.transaction((transaction) => service.remove(transaction, caller, context.param('id')));
      return noContent();
    },
  },
  {
    ...each,
    id: 'resolveNote',
    method: 'POST',
    once: true,
    path: `${root}/{id}/resolve`,
    summary: 'Close the thread of a note, or open it again',
    description: 'For everyone who sees it. Returns the first note of the thread.',
    body: resolveBody.declaration,
    responses: { 200: { description: 'The first note of the thread.', schema: noteSchema } },
    problems: [400, 404, 409, 422, 503],
    async handle(context) {
      const caller = noteCaller(context);
      const { resolved = true } = await resolveBody.read(context);
      const service = await notes();
      const id = context.param('id');
      return context.respondInTransaction(
        (run) => records.database.transaction(run),
        (transaction) => service.resolve(transaction, caller, id, resolved),
        (note) => jsonReply(200, noteJson(note), {}),
      );
    },
  },
];

/** 422 for texts that no database stores. */
function requireStorable(texts: Readonly<Record<string, string | undefined>>): void {
  const known = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const faults = textFaults(Object.fromEntries(known));
  if (faults.length > 0) throw invalid(faults);
}
