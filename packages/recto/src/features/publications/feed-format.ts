import { entryWords, type Feed, type FeedEntry } from './feed-entry.ts';
import { xmlElement, xmlText } from './xml-text.ts';

export const feedFormats = {
  /** https://www.rssboard.org/rss-specification, with the content, Dublin Core and Atom modules. */
  xml: { mediaType: 'application/rss+xml', write: rss },
  /** https://www.jsonfeed.org/version/1.1/ */
  json: { mediaType: 'application/feed+json', write: jsonFeed },
} as const;

export type FeedFormat = keyof typeof feedFormats;

function rss({ title, description, language, home, self, entries }: Feed): string {
  const times = entries.map(({ updatedAt }) => updatedAt).toSorted();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    xmlElement('title', title),
    xmlElement('link', home),
    xmlElement('description', description),
    ...(language === undefined ? [] : [xmlElement('language', language)]),
    `<atom:link href="${xmlText(self)}" rel="self" type="application/rss+xml"/>`,
    ...times.slice(-1).map((time) => xmlElement('lastBuildDate', mailDate(time))),
    ...entries.map(rssItem),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

function rssItem(entry: FeedEntry): string {
  const { id, title, url, content, excerpt, publishedAt, author } = entry;
  return [
    '<item>',
    xmlElement('title', title),
    xmlElement('link', url),
    `<guid isPermaLink="false">urn:uuid:${xmlText(id)}</guid>`,
    xmlElement('pubDate', mailDate(publishedAt)),
    ...(author === null ? [] : [xmlElement('dc:creator', author.name)]),
    ...entryWords(entry).map((word) => xmlElement('category', word)),
    ...(excerpt === null ? [] : [xmlElement('description', excerpt)]),
    ...(content === null ? [] : [xmlElement('content:encoded', content)]),
    '</item>',
  ].join('\n');
}

/** As RFC 822 writes times, with four digits of the year. */
const mailDate = (time: string): string => new Date(time).toUTCString();

function jsonFeed({ title, description, language, home, self, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    ...(language === undefined ? {} : { language }),
    home_page_url: home,
    feed_url: self,
    items: entries.map(jsonItem),
  });
}

function jsonItem(entry: FeedEntry) {
  const { id, title, url, content, excerpt, image, publishedAt, updatedAt, author } = entry;
  const words = entryWords(entry);
  return {
    id: `urn:uuid:${id}`,
    url,
    title,
    ...(content === null ? { content_text: excerpt ?? '' } : { content_html: content }),
    ...(excerpt === null ? {} : { summary: excerpt }),
    ...(image === null ? {} : { image }),
    date_published: publishedAt,
    date_modified: updatedAt,
    ...(author === null ? {} : { authors: [jsonAuthor(author)] }),
    ...(words.length === 0 ? {} : { tags: words }),
  };
}

const jsonAuthor = ({ name, website, avatar }: NonNullable<FeedEntry['author']>) => ({
  name,
  ...(website === null ? {} : { url: website }),
  ...(avatar === null ? {} : { avatar }),
});
