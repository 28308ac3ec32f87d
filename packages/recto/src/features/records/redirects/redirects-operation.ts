import Type from 'typebox';
import type { Caller } from '../../../base/caller.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import type { Languages } from '../../../definition/languages/languages.ts';
import { readLanguage } from '../../../definition/languages/read-language.ts';
import { isFoundBySlug } from '../../../definition/slug-field.ts';
import type { Operation, RequestContext } from '../../../http/operation.ts';
import { pageParameters, readPage } from '../../../http/page-parameters.ts';
import { jsonReply, responseOf } from '../../../http/responses/reply.ts';
import { pageSchema } from '../../../http/shared-responses.ts';
import { tenantHeaders } from '../../../http/tenant-header.ts';
import { unknownLanguage } from '../../../query/missing-language.ts';
import { mayPass } from '../../../records/plans/access.ts';
import type { Records } from '../../../records/records.ts';
import { commonProblems } from '../record-operation.ts';
import { type RedirectFormat, redirectFormats } from './redirect-formats.ts';
import { sitePath, sitePathSchema } from './site-path.ts';

/**
 * `GET /api/v1/redirects`: where the former slugs of records lead that the caller sees, for sites that are built from the content. As JSON a page
 * at a time, and in the formats of static hosts all of them.
 */
export function redirectsOperation(records: Records): Operation {
  const slugged = records.types.all.filter(isFoundBySlug);
  const hasTenants = slugged.some(({ partition }) => partition !== null);
  return {
    id: 'listRedirects',
    method: 'GET',
    path: '/api/v1/redirects',
    tag: 'Redirects',
    summary: 'List redirects',
    description:
      'The former slugs of records, and the ones that they have now: of those that `get` shows the caller, unless another record that they see has the slug. By type, in the order of the slugs.',
    security: 'optional',
    ...(hasTenants ? { headers: tenantHeaders } : {}),
    query: { schema: parametersOf(slugged, records.types.languages), validation: 'schema' },
    responses: {
      200: {
        description: 'A page of redirects, or all of them in the format of a host.',
        schema: Type.Union([pageSchema('RedirectPage', redirectSchema), vercelSchema]),
        alternatives: { 'text/plain': Type.String({ description: 'A line for each redirect.' }) },
      },
    },
    problems: commonProblems(...(hasTenants ? [403 as const] : [])),
    async handle(context) {
      const { caller, query } = context;
      const path = String(query.path);
      const { own, reader } = shownIn(records, query.language, caller);
      const types = slugged
        .filter(
          ({ plural, endpoints }) =>
            (query.type === undefined || query.type === plural) && mayPass(endpoints.get.access, caller),
        )
        .map(({ singular }) => own.types.get(singular));
      const format = formatOf(query.format);
      return format === undefined
        ? page(own, types, path, { caller: reader, query })
        : stream(own, types, path, format, { context, caller: reader });
    },
  };
}

/** The records as public routes show them in the language that a request names. */
function shownIn(records: Records, tag: unknown, caller: Caller): { own: Records; reader: Caller } {
  const { languages } = records.types;
  if (typeof tag !== 'string' || !languages.several) return { own: records, reader: caller };
  const language = languages.find(tag);
  if (language === undefined) throw unknownLanguage(tag, languages);
  const own = records.inLanguage(readLanguage(languages, language, true, 'public'));
  return { own, reader: { ...caller, language: language.tag } };
}

const parametersOf = (slugged: readonly ContentType[], { several, all }: Languages) =>
  Type.Object({
    ...(several ? { language: Type.Optional(languageParameter(all)) } : {}),
    ...(slugged.length === 0 ? {} : { type: Type.Optional(typeParameter(slugged)) }),
    path: Type.Optional(sitePathSchema),
    format: Type.Optional(formatParameter),
    ...pageParameters,
  });

const typeParameter = (slugged: readonly ContentType[]) =>
  Type.Enum(
    slugged.map(({ plural }) => plural),
    { description: 'The plural of a content type whose records have slugs; default: all.' },
  );

const languageParameter = (all: Languages['all']) =>
  Type.String({
    description: `The language whose slugs are meant: ${all.map(({ tag }) => `\`${tag}\``).join(', ')}. Default: the first.`,
  });

const formatParameter = Type.Enum(['json', ...Object.keys(redirectFormats)], {
  default: 'json',
  description:
    '`netlify` and `cloudflare`: a file `_redirects`; `vercel`: a `vercel.json`; `nginx`: the lines of a `map`. They have all redirects, whatever `page` says.',
});

const redirectSchema = Type.Object(
  {
    type: Type.String({ description: 'The plural of the content type.' }),
    id: Type.String(),
    slug: Type.String({ description: 'The former slug.' }),
    moved_to: Type.String({ description: 'The slug that the record has now.' }),
    from: Type.String({ description: 'The former path.' }),
    to: Type.String({ description: 'The path that the record has now.' }),
    moved_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Redirect', additionalProperties: false },
);

/** What `vercel.json` has of redirects. */
const vercelSchema = Type.Object(
  {
    redirects: Type.Array(
      Type.Object(
        { source: Type.String(), destination: Type.String(), permanent: Type.Boolean() },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'VercelRedirects', additionalProperties: false },
);

function formatOf(name: unknown): RedirectFormat | undefined {
  const found = Object.entries(redirectFormats).find(([format]) => format === name);
  return found?.[1];
}

async function page(
  records: Records,
  types: readonly ContentType[],
  path: string,
  { caller, query }: Pick<RequestContext, 'caller' | 'query'>,
): Promise<Response> {
  const { page, pageSize, offset } = readPage(query, records.limits.maxPageSize);
  const items: object[] = [];
  let total = 0;
  for (const type of types) {
    const count = await records.countFormerSlugs(type, caller);
    const skipped = Math.max(0, offset - total);
    total += count;
    const limit = pageSize - items.length;
    if (limit === 0 || skipped >= count) continue;
    for (const { id, former, slug, moved_at } of await records.listFormerSlugs(type, caller, {
      after: '',
      offset: skipped,
      limit,
    })) {
      const [from, to] = [sitePath(path, type, former), sitePath(path, type, slug)];
      items.push({ type: type.plural, id, slug: former, moved_to: slug, from, to, moved_at });
    }
  }
  return responseOf(jsonReply(200, { items, total, page, page_size: pageSize }, { 'Cache-Control': 'no-cache' }));
}

/** Redirects that are read at a time. */
const slice = 500;

function stream(
  records: Records,
  types: readonly ContentType[],
  path: string,
  format: RedirectFormat,
  { context, caller }: { readonly context: RequestContext; readonly caller: Caller },
): Response {
  return context.stream(
    async ({ write }) => {
      let before = format.head;
      for await (const some of redirects(records, types, path, caller)) {
        await write(before + some.map((redirect) => format.write(redirect)).join(format.between));
        before = format.between;
      }
      await write((before === format.head ? before : '') + format.tail);
    },
    { 'Content-Type': format.mediaType },
    'whole',
  );
}

async function* redirects(records: Records, types: readonly ContentType[], path: string, caller: Caller) {
  for (const type of types) {
    let after = '';
    for (;;) {
      const found = await records.listFormerSlugs(type, caller, { after, offset: 0, limit: slice });
      if (found.length > 0)
        yield found.map(({ former, slug }) => ({ from: sitePath(path, type, former), to: sitePath(path, type, slug) }));
      const last = found.at(-1);
      if (last === undefined || found.length < slice) break;
      after = last.former;
    }
  }
}
