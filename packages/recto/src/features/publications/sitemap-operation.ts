import Type, { type TObject } from 'typebox';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import { type PublishedSlug, publishedSlugs } from '../../builtin/published-slugs.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { addVary } from '../../http/responses/answer-headers.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { type Answer, answerOf, etagOf } from '../../records/answers/answer.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems } from '../records/record-operation.ts';
import { readResponse } from '../records/record-response.ts';
import { schemaName } from '../records/schema-name.ts';
import { chosenFormat, type SitemapEntry, type SitemapFormat, sitemapFormats } from './sitemap-format.ts';

/** The limit of sitemaps.org. */
const mostEntries = 50_000;

/**
 * `GET /api/v1/pages/sitemap` (service specification, section 4.1): where the published records are, as JSON or, for
 * `Accept: application/xml`, in the format of sitemaps.org.
 */
export function sitemapOperation(type: ContentType, records: Records, publicUrl: string | undefined): Operation {
  return {
    id: `get${schemaName(type)}Sitemap`,
    method: 'GET',
    path: `/api/v1/${type.plural}/sitemap`,
    tag: type.name,
    summary: `Sitemap of ${type.plural}`,
    description: `Only published ones, oldest first${type.languages === undefined ? '' : ', in each language that has an address'}. With \`Accept: application/xml\`, the format is that of sitemaps.org.`,
    security: 'none',
    query: { schema: parameters, validation: 'schema' },
    responses: {
      200: {
        description: 'The sitemap.',
        schema: sitemapSchema(type),
        alternatives: { [sitemapFormats.xml.mediaType]: Type.String() },
      },
      304: unchanged,
    },
    problems: commonProblems(),
    handle(context) {
      const { query } = context;
      const format = chosenFormat(context.request.headers.get('accept'));
      const page = Number(query.page);
      const site = type.languages?.default.url ?? publicUrl ?? anyOrigin;
      const wanted = { type, base: `${site}/${type.plural}`, format, page };
      return mapMaybe(sitemap(records, wanted), (answer) =>
        site === anyOrigin
          ? sitemapResponse(addressed(answer, `${context.origin}/api/v1`, format), context, format, 'private, no-cache')
          : sitemapResponse(answer, context, format),
      );
    },
  };
}

/**
 * Stands in remembered sitemaps for where the service was reached, which the caller says: a forged Host header must not get into what
 * others are answered with, nor fill the cache. Nobody can guess it, so it is nowhere else in them.
 */
const anyOrigin = `https://${crypto.randomUUID()}.invalid`;

/** The sitemap with the addresses that the caller reached the service by. */
function addressed({ body, etag, cacheStatus }: Answer, base: string, format: SitemapFormat): Answer {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return {
    body: text.replaceAll(anyOrigin, () => sitemapFormats[format].escaped(base)),
    etag: etagOf(`${etag} ${base}`),
    ...(cacheStatus === undefined ? {} : { cacheStatus }),
  };
}

interface WantedSitemap {
  readonly type: ContentType;
  /** What the addresses of the default language begin with. */
  readonly base: string;
  readonly format: SitemapFormat;
  readonly page: number;
}

function sitemap(records: Records, { type, base, format, page }: WantedSitemap): MaybePromise<Answer> {
  const { database } = records;
  return records.remembered(`sitemap|${type.singular}|${format}|${page}|${base}`, [type.singular], () => {
    const languages = addressedLanguages(type);
    // Each language of a record is an entry.
    const limit = Math.floor(mostEntries / (1 + languages.length));
    return mapMaybe(publishedSlugs(database, type, { limit, offset: (page - 1) * limit, languages }), (published) =>
      answerOf(sitemapFormats[format].write(published.flatMap((each) => entriesOf(each, { type, base, languages })))),
    );
  });
}

interface AddressedLanguage extends Language {
  readonly url: string;
}

/** The languages other than the default whose site has an address. */
const addressedLanguages = ({ languages }: ContentType): readonly AddressedLanguage[] =>
  (languages?.others ?? []).flatMap((each) => (each.url === undefined ? [] : [{ ...each, url: each.url }]));

/** A record is an entry for each language in which it says something, and each of them names all. */
function entriesOf(
  { slug, updatedAt, isMain, others }: PublishedSlug,
  {
    type,
    base,
    languages,
  }: Pick<WantedSitemap, 'type' | 'base'> & { readonly languages: readonly AddressedLanguage[] },
): readonly SitemapEntry[] {
  const entry = { slug, loc: `${base}/${encodeURIComponent(slug)}`, updated_at: updatedAt };
  if (type.languages === undefined) return [entry];
  const main = { ...entry, language: type.languages.default.tag };
  const translated = languages.flatMap(({ tag, url }) => {
    const own = others.get(tag);
    if (own === undefined) return [];
    return [
      { slug: own, loc: `${url}/${type.plural}/${encodeURIComponent(own)}`, updated_at: updatedAt, language: tag },
    ];
  });
  const all = isMain ? [main, ...translated] : translated;
  const [first] = all;
  if (first === undefined || all.length === 1) return all;
  const alternates = { ...Object.fromEntries(all.map(({ language, loc }) => [language, loc])), 'x-default': first.loc };
  return all.map((each) => ({ ...each, alternates }));
}

function sitemapResponse(
  answer: Answer,
  context: RequestContext,
  format: SitemapFormat,
  cacheControl?: string,
): Response {
  const response = readResponse(answer, context);
  addVary(response.headers, 'Accept');
  // A shared cache does not know which proxy header the addresses come from.
  if (cacheControl !== undefined) response.headers.set('Cache-Control', cacheControl);
  if (response.status === 200) response.headers.set('Content-Type', sitemapFormats[format].mediaType);
  return response;
}

const parameters = Type.Object({
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: `Each has ${mostEntries} entries at most.` }),
  ),
});

function sitemapSchema(type: ContentType): TObject {
  const inLanguages =
    type.languages === undefined
      ? {}
      : {
          language: Type.String(),
          alternates: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description: 'The addresses in all languages by their tags, and of the default language as `x-default`.',
            }),
          ),
        };
  const entry = Type.Object(
    {
      ...{ slug: Type.String(), loc: Type.String({ description: 'Absolute.' }), updated_at: Type.String() },
      ...inLanguages,
    },
    { additionalProperties: false },
  );
  return Type.Object({ items: Type.Array(entry) }, { $id: `${schemaName(type)}Sitemap`, additionalProperties: false });
}
