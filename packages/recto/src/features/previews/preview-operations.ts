import Type from 'typebox';
import { type AuthenticatedCaller, isAuthenticated, tenantAsked } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { type FieldFault, invalid, notFound } from '../../base/problem.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import { slugFieldOf } from '../../definition/slug-field.ts';
import { textFaults } from '../../http/bodies/text-faults.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { tenantHeaders } from '../../http/tenant-header.ts';
import type { PreviewStore } from '../../previews/preview-store.ts';
import type { PreviewInput, Previews } from '../../previews/previews.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import type { Records } from '../../records/records.ts';
import { kinds } from '../../values/kinds.ts';
import { typeNamed } from '../../webhooks/webhook-input.ts';
import { ownAddress, previewAddress } from './preview-address.ts';
import { newPreview, previewLinkJson, previewLinkSchema, previewSchema } from './preview-schemas.ts';

/** What the operations on previews work with. */
export interface PreviewParts {
  readonly records: Records;
  readonly types: ContentTypes;
  readonly previews: Previews;
  readonly store: PreviewStore;
  readonly now: () => number;
  readonly maxPageSize: number;
}

const body = new CheckedBody(newPreview);

const common = {
  tag: 'previews',
  security: 'bearer',
  roles: ['admin', 'editor'],
  right: { any: true },
  headers: tenantHeaders,
} as const;

const links = '/api/v1/admin/preview-links';

const linkParameters = Type.Object({
  ...pageParameters,
  type: Type.Optional(Type.String({ description: 'With `id`: only links to this record.' })),
  id: Type.Optional(Type.String({ description: 'With `type`: only links to this record.' })),
});

function previewCaller({ caller }: RequestContext): AuthenticatedCaller {
  if (!isAuthenticated(caller)) throw new Error('The operation has roles.');
  return caller;
}

/** Tokens that show what is not published yet, and the links that people share. */
export const previewOperations = (parts: PreviewParts): readonly Operation[] => [
  {
    ...common,
    id: 'createPreview',
    method: 'POST',
    path: '/api/v1/admin/preview',
    summary: 'Make a preview',
    description:
      'A token with which public reads show a record that you may change as it would be when published. It holds for an hour and ends with your session; with `share` it is a link for people without an account.',
    body: body.declaration,
    responses: { 201: { description: 'The preview.', schema: previewSchema } },
    problems: [400, 403, 404, 422, 503],
    handle: async (context) => {
      const caller = previewCaller(context);
      const input = await readInput(parts, caller, context);
      const { preview, token } = await parts.previews.create(caller, input);
      const url = await addressOf(parts, caller, input, { origin: context.origin, token });
      return json(201, { url, token, expires_at: new Date(preview.expiresAt).toISOString() });
    },
  },
  {
    ...common,
    id: 'listPreviewLinks',
    method: 'GET',
    path: links,
    summary: 'List the preview links that are shared',
    description:
      'Those that hold, the newest first: your own, and for admins all of them. Their tokens are not known any more.',
    query: { schema: linkParameters, validation: 'schema' },
    responses: readResponses('One page of links.', pageSchema('PreviewLinkList', previewLinkSchema)),
    problems: [400, 503],
    handle: async (context) => {
      const caller = previewCaller(context);
      const page = readPage(context.query, parts.maxPageSize);
      const { type, id } = context.query;
      const tenant = tenantAsked(caller);
      const { previews, total } = await parts.store.links(
        {
          now: parts.now(),
          ...(caller.role === 'admin' ? (tenant === null ? {} : { tenant }) : { by: caller.id }),
          ...(typeof type === 'string' && typeof id === 'string' ? { record: { type, id } } : {}),
        },
        page,
      );
      const items = previews.map(previewLinkJson);
      return jsonRead(context.request, { items, total, page: page.page, page_size: page.pageSize });
    },
  },
  {
    ...common,
    id: 'deletePreviewLink',
    method: 'DELETE',
    path: `${links}/{id}`,
    params: idParams,
    summary: 'End a preview link',
    description: 'At once. Your own, and for admins each of them.',
    responses: { 204: { description: 'The link shows nothing any more.' } },
    problems: [400, 404, 503],
    handle: async (context) => {
      await parts.previews.revoke(previewCaller(context), context.param('id'));
      return noContent();
    },
  },
];

/** 422 with everything that is wrong; 404 for a type of which the caller gets no records. */
async function readInput(
  { records, types, now }: PreviewParts,
  caller: AuthenticatedCaller,
  context: RequestContext,
): Promise<PreviewInput> {
  const sent = await body.read(context);
  const { share = false, scope = 'record', language, release = null, label = '', seconds = 0 } = sent;
  const type = typeNamed(types, sent.type);
  if (type === undefined || rightsOf(caller, types.roles).of(type).rows.get === 'none') throw notFound();
  const faults = [
    ...(share ? shareFaults(sent) : ownFaults(sent)),
    ...(sent.id === undefined && type.kind !== 'single' ? [required('id', 'which record it is.')] : []),
    ...timeFaults(sent, now()),
    ...(language !== undefined && types.languages.find(language) === undefined ? [unknownLanguage] : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  const record = sent.id ?? (await singleId(records, type, caller));
  if (!isId(record) || (release !== null && !isId(release))) throw notFound();
  const tag = language === undefined ? null : (types.languages.find(language)?.tag ?? null);
  const at = sent.at === undefined ? null : timeOf(sent.at);
  return { type, record, scope, release, at, language: tag, share: share ? { label, seconds } : null };
}

type SentPreview = Awaited<ReturnType<typeof body.read>>;

const required = (field: string, meaning: string): FieldFault => ({
  ...{ field, code: 'required' },
  message: `${field} is required: ${meaning}`,
});

const unknownLanguage: FieldFault = {
  field: 'language',
  code: 'unknown_language',
  message: 'There is no such language.',
};

/** What is wrong with a link that is to be shared. */
const shareFaults = ({ label, seconds, scope }: SentPreview): readonly FieldFault[] => [
  ...(label === undefined ? [required('label', 'people find the link by it.')] : textFaults({ label })),
  ...(seconds === undefined ? [required('seconds', 'how long the link holds.')] : []),
  ...(scope === 'site'
    ? [{ field: 'scope', code: 'not_allowed', message: 'A link that is shared shows one record.' }]
    : []),
];

/** A time as the service keeps it; null for a text that is none. */
function timeOf(text: string): string | null {
  const time = kinds.datetime.fromJson(text);
  return typeof time === 'string' ? time : null;
}

/** What is wrong with the time that a preview is about. */
function timeFaults({ at, release, share }: SentPreview, now: number): readonly FieldFault[] {
  if (at === undefined) return [];
  const time = timeOf(at);
  const fault = (code: string, message: string): readonly FieldFault[] => [{ field: 'at', code, message }];
  if (time === null) return fault('wrong_type', 'at must be a time with an offset, such as 2031-03-30T09:00:00Z.');
  if (Date.parse(time) <= now) return fault('time_passed', 'at must be a time to come.');
  // Others would be seen with it: what a link shows of them is what is public now.
  if (share === true) return fault('not_allowed', 'A link that is shared shows a record as it would be published now.');
  if (release !== undefined) return fault('not_allowed', 'A release has its own time.');
  return [];
}

/** What is wrong with a preview for oneself. */
const ownFaults = ({ label, seconds }: SentPreview): readonly FieldFault[] =>
  (label ?? seconds) === undefined
    ? []
    : [{ field: 'share', code: 'required', message: 'label and seconds belong to a link that is shared.' }];

/** The id of the one record of a single type. */
async function singleId(records: Records, type: ContentType, caller: AuthenticatedCaller): Promise<string> {
  const { body: text } = await records.get({ type, view: 'admin', caller, id: null, search: 'fields=id' });
  // A record is a JSON object with an id.
  return (JSON.parse(String(text)) as { readonly id: string }).id;
}

/** Where a preview is shown: by the type's own page, or by that of the service. */
async function addressOf(
  parts: PreviewParts,
  caller: AuthenticatedCaller,
  input: PreviewInput,
  { origin, token }: { readonly origin: string; readonly token: string },
): Promise<string> {
  const template = input.type.definition.admin?.preview_url;
  const language = input.language ?? parts.types.languages.default.tag;
  const slug = template?.includes('{slug}') === true ? await slugOf(parts, caller, input) : null;
  const made = previewAddress(template, origin, { id: input.record, slug, language, token }, input.share !== null);
  return made ?? ownAddress(origin, token);
}

/** The slug that the record has once it is published as the preview shows it; null for none. */
async function slugOf(
  { records, types }: PreviewParts,
  caller: AuthenticatedCaller,
  { type, record, language }: PreviewInput,
): Promise<string | null> {
  const field = slugFieldOf(type);
  if (field === undefined || !rightsOf(caller, types.roles).of(type).reads(field)) return null;
  const found = language === null ? undefined : types.languages.find(language);
  const shown = records.inLanguage(found && readLanguage(types.languages, found, true, 'admin'));
  const asked = { type: shown.types.get(type.singular), caller, id: record, search: '' };
  // An item of a release is no record yet.
  if ((await records.find(records.database, type, record)) === undefined) return null;
  const answer =
    draftsOf(type) === undefined ? await shown.get({ ...asked, view: 'admin' }) : await shown.preview(asked);
  // A record is a JSON object.
  const slug = (JSON.parse(String(answer.body)) as Readonly<Record<string, unknown>>)[field.name];
  return typeof slug === 'string' ? slug : null;
}
