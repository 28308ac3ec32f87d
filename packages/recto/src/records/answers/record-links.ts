import { isId } from '../../base/ids.ts';

/** A record that a link in a text leads to. */
export interface LinkedRecord {
  readonly plural: string;
  readonly id: string;
}

/** Stands in every text with a link to a record, and in hardly any other. */
const mark = 'data-record=';

/** Whether the JSON text of an answer may have links to records. */
export const mayLink = (text: string): boolean => text.includes(mark);

/** A link to a record, as sanitised HTML stands in JSON. No part of it reads a character twice. */
const anchor =
  /<a(?: [^<>]*)? data-record=\\"([a-z][a-z0-9_-]*)\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\\"[^<>]*>/g;

const address = / href=\\"([^"\\]*)\\"/;

/** The records that links in the JSON text of an answer lead to, each once. */
export function linkedRecords(text: string, most: number): readonly LinkedRecord[] {
  const found = new Map<string, LinkedRecord>();
  for (const [, plural = '', id = ''] of text.matchAll(anchor)) {
    if (found.size === most) break;
    found.set(`${plural}/${id}`, { plural, id });
  }
  return [...found.values()];
}

/** The JSON text with the present slugs, by `plural/id`, in the addresses of links to these records. */
export const withSlugs = (text: string, slugs: ReadonlyMap<string, string>): string =>
  text.replace(anchor, (tag: string, plural: string, id: string) => {
    const slug = slugs.get(`${plural}/${id}`);
    if (slug === undefined) return tag;
    return tag.replace(address, (_, href: string) => ` href=\\"${addressWithSlug(href, slug)}\\"`);
  });

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ending = /\.html?$/;

/**
 * An address whose path ends with another slug: the last segment becomes it. What stands before it, a query, a fragment, slashes at
 * the end and `.html` stay. An address that ends with no slug, but for example with an id, stays as it is.
 */
export function addressWithSlug(href: string, slug: string): string {
  if (!slugPattern.test(slug)) return href;
  const pathEnd = href.search(/[?#]/);
  const path = pathEnd === -1 ? href : href.slice(0, pathEnd);
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  const start = path.lastIndexOf('/', end - 1) + 1;
  // A host is no slug.
  if (path.startsWith('//', start - 2)) return href;
  const segment = path.slice(start, end);
  const [kept = ''] = ending.exec(segment) ?? [];
  const former = segment.slice(0, segment.length - kept.length);
  if (!slugPattern.test(former) || isId(former)) return href;
  return `${path.slice(0, start)}${slug}${kept}${path.slice(end)}${href.slice(path.length)}`;
}
