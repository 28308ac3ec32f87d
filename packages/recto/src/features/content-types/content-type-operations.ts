import Type from 'typebox';
import { callerId, callerRole, callerScopes } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { DefinitionChanges } from '../../content-types/definition-changes.ts';
import type { ChangeMoment } from '../../content-types/definition-store.ts';
import { entryForRole } from '../../content-types/entry-for-role.ts';
import { entryForEditors, entryTag, rightsOf, type TypeEntry, typeSources } from '../../content-types/type-entry.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { rightsOf as roleOf } from '../../definition/rights/read-view.ts';
import { editorRights } from '../../definition/rights/role-rights.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply, type Reply } from '../../http/responses/reply.ts';
import { locationHeader, noContent, pageSchema, readResponses, unchanged } from '../../http/shared-responses.ts';
import { namesTag } from '../../records/answers/answer.ts';
import { ifMatch, ifMatchHeader } from '../records/record-operation.ts';
import { definitionBody, dryRunParameter, entrySchema, previewSchema, revisionSchema } from './content-type-schemas.ts';

const root = '/api/v1/admin/content-types';
const common = { tag: 'content-types', security: 'bearer', roles: ['admin'], installation: true } as const;

/** Editors need the definitions to show records; rules and history are for those who change what all tenants share. */
const forEditors = {
  tag: 'content-types',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
} as const;

const isFull = ({ caller }: RequestContext): boolean =>
  callerRole(caller) === 'admin' && caller.tenant === undefined && callerScopes(caller) === undefined;

/** Whether the caller has any right to the records of a type. The others are not there for them. */
function isThere({ singular }: TypeEntry, types: ContentTypes, { caller }: RequestContext): boolean {
  const role = roleOf(caller, types.roles);
  if (role.key === editorRights.key) return true;
  return Object.values(role.of(types.get(singular)).rows).some((right) => right !== 'none');
}

/** The entry as this caller sees it, and what they may do. */
function shown(entry: TypeEntry, types: ContentTypes, context: RequestContext) {
  const isAdmin = isFull(context);
  const seen = isAdmin ? entry : entryForEditors(entry);
  const may = rightsOf(entry, isAdmin);
  const role = roleOf(context.caller, types.roles);
  const { several, all } = types.languages;
  // One that has just been made is not served yet.
  const served = types.find(entry.singular);
  const isByLanguage = served !== undefined && publishedInLanguage(served) !== undefined;
  const languages = several
    ? { languages: all.map(({ tag }) => tag), ...(isByLanguage ? { status_by_language: true } : {}) }
    : {};
  // Administrators and editors read all fields.
  if (role.key === editorRights.key) return { entry: { ...seen, ...languages, may }, tag: entryTag(seen) };
  const type = types.get(entry.singular);
  const { rows } = role.of(type);
  const known = entryForRole(seen, type, role);
  const limited = {
    ...may,
    create: may.create && rows.create !== 'none',
    update: may.update && rows.update !== 'none',
    delete: may.delete && rows.delete !== 'none',
  };
  // What the role may do can change while the definition stays.
  const own = { ...known, ...languages, may: limited };
  return { entry: own, tag: entryTag(own) };
}

const tagHeader = { ETag: { description: 'Entity tag of the definition, for `If-Match`.' } };
const dryRun = { schema: Type.Object(dryRunParameter), validation: 'schema' } as const;
// A rule whose endpoint is named once more would be lost.
const body = { schema: definitionBody, validation: 'own', repeatedNames: 'refused' } as const;
const preview = { description: 'Of a dry run: what would happen.', schema: previewSchema };

/** The content types themselves. Editors read them; admins (role `admin`) change those that were made here. */
export const contentTypeOperations = (changes: DefinitionChanges, maxPageSize: number): readonly Operation[] => [
  ...readOperations(changes, maxPageSize),
  ...changeOperations(changes),
];

const readOperations = (changes: DefinitionChanges, maxPageSize: number): readonly Operation[] => [
  {
    ...forEditors,
    id: 'listContentTypes',
    method: 'GET',
    path: root,
    summary: 'List content types',
    description:
      'All that are served, ordered by singular name, with their definitions. Editors see them without rules and history.',
    query: {
      schema: Type.Object({ ...pageParameters, source: Type.Optional(Type.Enum([...typeSources])) }),
      validation: 'schema',
    },
    responses: readResponses('One page of types.', pageSchema('ContentTypeList', entrySchema)),
    problems: [400, 503],
    handle: async (context) => {
      const { query } = context;
      const page = readPage(query, maxPageSize);
      const all = (await changes.entries()).filter((entry) => isThere(entry, changes.types, context));
      const asked = query.source === undefined ? all : all.filter(({ source }) => source === query.source);
      const items = asked
        .slice(page.offset, page.offset + page.limit)
        .map((entry) => shown(entry, changes.types, context).entry);
      return jsonRead(context.request, { items, total: asked.length, page: page.page, page_size: page.pageSize });
    },
  },
  {
    ...forEditors,
    id: 'getContentType',
    method: 'GET',
    path: `${root}/{singular}`,
    summary: 'Get a content type',
    description: 'Editors see it without rules and history.',
    responses: { 200: { description: 'The type.', schema: entrySchema, headers: tagHeader }, 304: unchanged },
    problems: [404, 503],
    handle: async (context) => {
      const found = await changes.entry(context.param('singular'));
      if (!isThere(found, changes.types, context)) throw notFound();
      const { entry, tag } = shown(found, changes.types, context);
      const headers = { ETag: tag, 'Cache-Control': 'no-cache' };
      const known = context.request.headers.get('if-none-match');
      if (known !== null && namesTag(known, headers.ETag, 'weak')) return new Response(null, { status: 304, headers });
      return json(200, entry, headers);
    },
  },
  {
    ...common,
    id: 'listContentTypeRevisions',
    method: 'GET',
    path: `${root}/{singular}/revisions`,
    summary: 'List the revisions of a content type',
    description:
      'Newest first. The last 50 changes are kept, also of a deleted type. To restore an earlier definition, send it again.',
    query: { schema: Type.Object(pageParameters), validation: 'schema' },
    responses: readResponses('One page of revisions.', pageSchema('ContentTypeRevisionList', revisionSchema)),
    problems: [400, 404, 503],
    handle: async (context) => {
      const page = readPage(context.query, maxPageSize);
      const { revisions, total } = await changes.revisions(context.param('singular'), page);
      const items = revisions.map(({ madeAt, ...revision }) => ({ ...revision, made_at: madeAt }));
      return jsonRead(context.request, { items, total, page: page.page, page_size: page.pageSize });
    },
  },
];

const changeOperations = (changes: DefinitionChanges): readonly Operation[] => [
  {
    ...common,
    id: 'createContentType',
    stepUp: 'sessions',
    method: 'POST',
    once: true,
    path: root,
    summary: 'Create a content type',
    description:
      'The body is the content of a definition file, in JSON. When the reply arrives, every process serves its routes.',
    query: dryRun,
    body,
    responses: {
      200: preview,
      201: { description: 'The type.', schema: entrySchema, headers: { ...locationHeader, ...tagHeader } },
    },
    problems: [400, 409, 422, 503],
    handle: async (context) => {
      const change = { action: 'create', definition: await context.body() } as const;
      if (isDryRun(context)) return json(200, await changes.preview(change));
      const reply = (entry: TypeEntry): Reply =>
        jsonReply(201, shown(entry, changes.types, context).entry, {
          Location: `${root}/${entry.singular}`,
          ETag: entryTag(entry),
        });
      const saving = changes.saving(change, momentOf(context));
      return context.respondInTransaction((work) => changes.commit(work), saving, reply);
    },
  },
  {
    ...common,
    id: 'replaceContentType',
    stepUp: 'sessions',
    method: 'PUT',
    patch: false,
    headers: ifMatchHeader,
    path: `${root}/{singular}`,
    summary: 'Replace the definition of a content type',
    description:
      'The body is the whole definition: what it leaves out is no longer defined, and values of such fields stay stored. With `If-Match`, a definition that has changed since is not replaced: 409 `stale`.',
    query: dryRun,
    body,
    responses: {
      200: {
        description: 'The type as it is now; of a dry run, what would happen.',
        schema: Type.Union([entrySchema, previewSchema]),
        headers: { ETag: { ...tagHeader.ETag, optional: true } },
      },
    },
    problems: [400, 404, 409, 422, 503],
    handle: async (context) => {
      const definition = await context.body();
      const singular = context.param('singular');
      const change = { action: 'replace', singular, definition, ifMatch: ifMatch(context) } as const;
      if (isDryRun(context)) return json(200, await changes.preview(change));
      const entry = await changes.commit(changes.saving(change, momentOf(context)));
      return json(200, shown(entry, changes.types, context).entry, { ETag: entryTag(entry) });
    },
  },
  {
    ...common,
    id: 'deleteContentType',
    stepUp: 'sessions',
    method: 'DELETE',
    headers: ifMatchHeader,
    path: `${root}/{singular}`,
    summary: 'Delete a content type',
    description:
      'Its records stay stored, and are available again once a type of this name is created again. A type that others relate to cannot be deleted: 409 `content_type_in_use`.',
    query: dryRun,
    responses: { 200: preview, 204: { description: 'The type is gone.' } },
    problems: [400, 404, 409, 503],
    handle: async (context) => {
      const change = { action: 'delete', singular: context.param('singular'), ifMatch: ifMatch(context) } as const;
      if (isDryRun(context)) return json(200, await changes.preview(change));
      await changes.commit(changes.removal(change, momentOf(context)));
      return noContent();
    },
  },
];

const isDryRun = ({ query }: RequestContext): boolean => query.dry_run === true;

const momentOf = ({ caller }: RequestContext): ChangeMoment => ({
  author: callerId(caller),
  caller,
  now: new Date().toISOString(),
});
