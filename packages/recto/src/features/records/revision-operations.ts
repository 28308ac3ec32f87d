import Type, { type TObject, type TSchema } from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import { fullView, rightsOf, viewFor } from '../../definition/rights/read-view.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { choiceParameters } from '../../query/read-view.ts';
import { readRecordQuery } from '../../query/record-query.ts';
import type { Records } from '../../records/records.ts';
import type { RevisionReader, RevisionsRequest } from '../../records/revisions/revision-reader.ts';
import { includeParameter } from './parameters/include-parameter.ts';
import { inLanguage } from './parameters/language-parameter.ts';
import { choiceSchemas } from './parameters/query-schemas.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, own, taggedHeaders } from './record-operation.ts';
import { readResponse, writeReply } from './record-response.ts';
import { recordSchema } from './record-schemas.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** RFC 6902, section 6. */
const patchMediaType = 'application/json-patch+json';

/** The admin routes of the revisions of a type's records. `one` is the path of a record, with `{id}`. */
export function revisionOperations(type: ContentType, records: Records, one: string): readonly Operation[] {
  if (type.facts.revisions === undefined) return [];
  const parts = { type, records, one, reader: records.revisions };
  return [
    ...[listOperation(parts), getOperation(parts), nameOperation(parts)],
    ...[differenceOperation(parts), restoreOperation(parts)],
  ];
}

interface Parts {
  readonly type: ContentType;
  readonly records: Records;
  readonly one: string;
  readonly reader: RevisionReader;
}

function listOperation({ type, records, one, reader }: Parts): Operation {
  return {
    id: `list${schemaName(type)}RecordRevisions`,
    method: 'GET',
    path: `${one}/revisions`,
    summary: `List the revisions of a record, newest first (${type.name})`,
    ...shared(type),
    query: { schema: Type.Object({ ...choiceSchemas(type, 'admin'), ...pageParameters }), validation: 'schema' },
    responses: { 200: jsonResponse('A page of revisions.', () => listSchema), 304: unchanged },
    problems: commonProblems(404),
    async handle(context) {
      const page = readPage(context.query, records.limits.maxPageSize);
      const answer = await reader.list(requestOf(type, context), page);
      return readResponse(answer, context);
    },
  };
}

function getOperation({ type, records, one, reader }: Parts): Operation {
  const { types } = records;
  return {
    id: `get${schemaName(type)}RecordRevision`,
    method: 'GET',
    path: `${one}/revisions/{revision}`,
    summary: `Get a revision of a record (${type.name})`,
    description: 'With `include`, the related records are as they are now.',
    ...shared(type, ['revision']),
    query: own(() => {
      const include = includeParameter(type, 'admin', types);
      return Type.Object({
        ...choiceSchemas(type, 'admin'),
        ...(include === undefined ? {} : { include: Type.Optional(include) }),
      });
    }),
    responses: { 200: jsonResponse('The revision.', () => revisionSchema), 304: unchanged },
    problems: commonProblems(404),
    async handle(context) {
      const view = viewFor('admin', context.caller, types);
      const asked = inLanguage(records, { type, view, action: 'get', reads: false }, context.search, context.caller);
      const language = asked.type.shownIn?.read.language;
      const { include, choices } = readRecordQuery(asked.rest, { type, types, view }, new Set(), 'version');
      const search = new URLSearchParams(Object.fromEntries(choices)).toString();
      const request = { type, caller: asked.caller, id: context.param('id'), search };
      const answer = await reader.get(request, Number(context.param('revision')), include, language);
      return readResponse(answer, context, asked.tag);
    },
  };
}

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** Longer ones are sentences. */
const longestName = 100;
const nameBody = new CheckedBody({
  name: nullable(Type.String({ minLength: 1, maxLength: longestName, description: 'Null takes the name away.' })),
});

function nameOperation({ type, records, one, reader }: Parts): Operation {
  return {
    id: `name${schemaName(type)}RecordRevision`,
    method: 'PUT',
    path: `${one}/revisions/{revision}`,
    summary: `Name a revision of a record (${type.name})`,
    description: 'A named revision is kept however many follow it.',
    ...shared(type, ['revision'], 'update'),
    body: nameBody.declaration,
    responses: { 200: jsonResponse('The revision, without its record.', () => headSchema) },
    problems: commonProblems(404, 422),
    async handle(context) {
      const { name } = await nameBody.read(context);
      const { caller } = context;
      // Who may update all records may also name revisions of those in the trash.
      if (rightsOf(caller, records.types.roles).of(type).rows.update !== 'all')
        await records.requireUpdate({ type, admin: true, caller, id: context.param('id') });
      const write = await reader.prepareName(requestOf(type, context), Number(context.param('revision')), name);
      return respondToWrite(context, records, write, (answer) => writeReply(answer, 200));
    },
  };
}

function differenceOperation({ type, one, reader }: Parts): Operation {
  return {
    id: `diff${schemaName(type)}RecordRevisions`,
    method: 'GET',
    path: `${one}/revisions/{a}/diff/{b}`,
    summary: `Compare two revisions of a record (${type.name})`,
    description: 'A JSON Patch (RFC 6902) that turns the record of revision `a` into that of revision `b`.',
    ...shared(type, ['a', 'b']),
    query: { schema: choicesSchema(type), validation: 'schema' },
    responses: {
      200: { description: 'The patch.', schema: patchSchema, mediaType: patchMediaType },
      304: unchanged,
    },
    problems: commonProblems(404),
    async handle(context) {
      const [from, to] = [Number(context.param('a')), Number(context.param('b'))];
      const answer = await reader.difference(requestOf(type, context), from, to);
      const response = readResponse(answer, context);
      if (response.status === 200) response.headers.set('Content-Type', patchMediaType);
      return response;
    },
  };
}

function restoreOperation({ type, one, records }: Parts): Operation {
  return {
    id: `restore${schemaName(type)}RecordRevision`,
    method: 'POST',
    path: `${one}/revisions/{revision}/restore`,
    summary: `Restore a revision of a record (${type.name})`,
    description:
      'An ordinary update. Fields that the revision does not have, or that the caller may not read, keep their values.',
    ...shared(type, ['revision'], 'update'),
    headers: ifMatchHeader,
    once: true,
    responses: {
      200: jsonResponse('The record as it is now.', () => recordSchema(type, 'admin', records.types), taggedHeaders),
    },
    problems: commonProblems(404, 409, 422),
    async handle(context) {
      const revision = Number(context.param('revision'));
      const request = { ...requestOf(type, context), revision, ifMatch: ifMatch(context) };
      const write = await records.prepareRestore(request);
      return respondToWrite(context, records, write, (answer) => writeReply(answer, 200));
    },
  };
}

function shared(type: ContentType, numbers: readonly string[] = [], action: 'get' | 'update' = 'get') {
  const params = {
    ...idParams,
    ...Object.fromEntries(numbers.map((name) => [name, revisionNumber])),
  };
  return {
    tag: type.name,
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action },
    params,
  } as const satisfies Partial<Operation>;
}

const revisionNumber = Type.String({ pattern: '^[1-9][0-9]{0,9}$', description: 'The number of a revision.' });

const choicesSchema = (type: ContentType): TObject => Type.Object(choiceSchemas(type, 'admin'));

function requestOf(type: ContentType, context: RequestContext): RevisionsRequest {
  const chosen = choiceParameters(type, fullView).flatMap(({ name }) => {
    const value = context.query[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const search = new URLSearchParams(Object.fromEntries(chosen)).toString();
  return { type, caller: context.caller, id: context.param('id'), search };
}

const headProperties = {
  revision: Type.Integer({ minimum: 1, description: 'Counts up with each version of the record.' }),
  action: Type.String({
    description:
      '`create`, `update`, `autosave`, `restore`, `delete` or another action; `existing` for a record that is older than its revisions.',
  }),
  author: nullable(Type.String({ description: 'The id of an account or API token; null for an anonymous caller.' })),
  author_kind: nullable(Type.Unsafe<string>({ type: 'string', enum: ['account', 'api_token'] })),
  at: Type.String({ format: 'date-time' }),
  restored_from: nullable(Type.Integer({ minimum: 1, description: 'The revision that was restored.' })),
  changed: Type.Array(Type.String(), { description: 'The fields that differ from the version before.' }),
  name: nullable(Type.String({ description: 'What somebody calls it; null: nothing.' })),
};

const headSchema = Type.Object(headProperties, { $id: 'RevisionSummary', additionalProperties: false });

const listSchema = Type.Object(
  {
    items: Type.Array(headSchema),
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, description: 'The size used, which may be less than requested.' }),
  },
  { additionalProperties: false },
);

const revisionSchema = Type.Object(
  {
    ...headProperties,
    record: Type.Object({ id: Type.String() }, { additionalProperties: true, description: 'The record as it was.' }),
  },
  { $id: 'Revision', additionalProperties: false },
);

const patchSchema = Type.Array(
  Type.Object(
    {
      op: Type.Unsafe<string>({ type: 'string', enum: ['add', 'remove', 'replace'] }),
      path: Type.String({ description: 'JSON Pointer (RFC 6901).' }),
      value: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: false },
  ),
  { $id: 'JsonPatch' },
);
