import Type from 'typebox';
import { anonymous } from '../../base/caller.ts';
import { Problem } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { tagKey, tagSlug } from '../../definition/fields/tags-field.ts';
import { includableFields } from '../../definition/includable-fields.ts';
import { endpointViews, viewFor } from '../../definition/rights/read-view.ts';
import { isLocalized } from '../../definition/stored-field.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { unchanged } from '../../http/shared-responses.ts';
import { type Answer, etagOf } from '../../records/answers/answer.ts';
import type { Records } from '../../records/records.ts';
import {
  type InLanguage,
  inLanguage,
  type LanguageQuestion,
  takesLanguage,
} from '../records/parameters/language-parameter.ts';
import { commonProblems } from '../records/record-operation.ts';
import { readResponse } from '../records/record-response.ts';
import { schemaName } from '../records/schema-name.ts';
import { type Feed, type FeedEntry, feedEntry } from './feed-entry.ts';
import { type FeedFormat, feedFormats } from './feed-format.ts';

/** Readers of feeds come back often: the newest are enough. */
const mostEntries = 20;

/** `GET /api/v1/posts/feed.xml` and `feed.json`: the newest published posts for readers of feeds. */
export function feedOperation(
  type: ContentType,
  records: Records,
  { format, publicUrl }: { readonly format: FeedFormat; readonly publicUrl: string | undefined },
): Operation {
  const { mediaType, write } = feedFormats[format];
  const isXml = format === 'xml';
  return {
    id: `get${schemaName(type)}${isXml ? 'RssFeed' : 'JsonFeed'}`,
    method: 'GET',
    path: `/api/v1/${type.plural}/feed.${format}`,
    tag: type.name,
    summary: `${isXml ? 'RSS' : 'JSON'} feed of ${type.plural}`,
    description: `The ${mostEntries} newest published ones, in the format of ${isXml ? 'RSS 2.0' : 'JSON Feed 1.1'}.`,
    security: 'none',
    query: { schema: parametersIn(records, type), validation: 'schema' },
    responses: {
      200: { description: 'The feed.', schema: isXml ? Type.String() : jsonFeedSchema, mediaType },
      304: unchanged,
    },
    problems: commonProblems(),
    async handle(context) {
      const self = `${context.origin}/api/v1/${type.plural}/feed.${format}${searchOf(context.query)}`;
      const home = publicUrl ?? `${context.origin}/api/v1`;
      const asked = inLanguage(records, question(records, type), languageOf(context.query), anonymous);
      const list = await newest(asked, context.query);
      const places = { base: `${home}/${type.plural}`, origin: context.origin };
      const entries = postsOf(list).map((post) => feedEntry(post, places));
      const language = asked.tag === undefined ? {} : { language: asked.tag };
      const body = write({ ...named(home, entries, context.query), ...language, home, self, entries });
      return feedResponse({ body, etag: etagOf(body) }, context, { mediaType, tag: asked.tag });
    },
  };
}

/** The posts of a feed are a public list. */
const question = ({ types }: Records, type: ContentType): LanguageQuestion => ({
  type,
  view: viewFor('list', anonymous, types),
  action: 'list',
  reads: true,
});

type Filters = RequestContext['query'];

const languageOf = ({ language }: Filters): string =>
  language === undefined ? '' : String(new URLSearchParams({ language: String(language) }));

function searchOf({ category, tag, language }: Filters): string {
  const search = new URLSearchParams();
  if (category !== undefined) search.set('category', String(category));
  if (tag !== undefined) search.set('tag', String(tag));
  if (language !== undefined) search.set('language', String(language));
  return search.size === 0 ? '' : `?${search}`;
}

/** The newest posts that everyone sees; fewer of them where they are too large for one answer. */
async function newest(asked: InLanguage, filters: Filters, most = mostEntries): Promise<Answer> {
  const { records, type, caller } = asked;
  const search = new URLSearchParams(searchOf(filters));
  search.delete('language');
  search.set('page_size', String(most));
  search.set('skip_total', 'true');
  const included = includableFields(type, endpointViews.list).filter(
    ({ name }) => name === 'author' || name === 'categories',
  );
  search.set('include', included.map(({ name }) => name).join());
  try {
    return await records.list(type, 'list', caller, String(search));
  } catch (error) {
    const isTooLarge = error instanceof Problem && error.code === 'answer_too_large';
    if (!isTooLarge || most === 1) throw error;
    return newest(asked, filters, Math.floor(most / 2));
  }
}

function postsOf({ body }: Answer): readonly unknown[] {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  // What a list returns.
  return (JSON.parse(text) as { readonly items: readonly unknown[] }).items;
}

/** Names the site, and what the feed is about as its posts spell it: nothing that a caller made up. */
function named(
  home: string,
  entries: readonly FeedEntry[],
  { category, tag }: Filters,
): Pick<Feed, 'title' | 'description'> {
  const { host } = new URL(home);
  const [first] = entries;
  const ofCategory = first?.categories.find(({ id, slug }) => id === category || slug === category)?.name;
  const key = tag === undefined ? undefined : tagKey(String(tag));
  const ofTag = first?.tags.find((each) => tagKey(each) === key || tagSlug(each) === key);
  const about = [ofCategory, ofTag].filter((name) => name !== undefined);
  return {
    title: [host, ...about].join(' · '),
    description:
      about.length === 0 ? `The newest posts of ${host}` : `The newest posts of ${host}: ${about.join(', ')}`,
  };
}

function feedResponse(
  answer: Answer,
  context: RequestContext,
  { mediaType, tag }: { readonly mediaType: string; readonly tag: string | undefined },
): Response {
  const response = readResponse(answer, context, tag);
  // It names where the caller reached the service, which a shared cache does not know.
  response.headers.set('Cache-Control', 'private, no-cache');
  if (response.status === 200) response.headers.set('Content-Type', mediaType);
  return response;
}

const parameters = Type.Object({
  category: Type.Optional(Type.String({ description: 'Only posts of the category with this id or slug.' })),
  tag: Type.Optional(Type.String({ description: 'Only posts with this tag, by its name or slug.' })),
});

/** With `language` where posts are written in several. */
const parametersIn = (records: Records, type: ContentType) =>
  isLocalized(type) && takesLanguage(records, question(records, type))
    ? Type.Object({
        ...parameters.properties,
        language: Type.Optional(Type.String({ description: 'The language of the posts.' })),
      })
    : parameters;

const text = Type.String();

const jsonFeedSchema = Type.Object(
  {
    version: text,
    title: text,
    description: text,
    language: Type.Optional(text),
    home_page_url: text,
    feed_url: text,
    items: Type.Array(
      Type.Object(
        {
          id: text,
          url: text,
          title: text,
          content_html: Type.Optional(text),
          content_text: Type.Optional(text),
          summary: Type.Optional(text),
          image: Type.Optional(text),
          date_published: text,
          date_modified: text,
          authors: Type.Optional(
            Type.Array(
              Type.Object(
                { name: text, url: Type.Optional(text), avatar: Type.Optional(text) },
                { additionalProperties: false },
              ),
            ),
          ),
          tags: Type.Optional(Type.Array(text)),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'JsonFeed', additionalProperties: false },
);
