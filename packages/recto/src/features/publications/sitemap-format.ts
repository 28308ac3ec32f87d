import { parseAccept } from 'hono/utils/accept';
import { xmlElement, xmlText } from './xml-text.ts';

/** Where one record is, and when it last changed (RFC 3339). */
export interface SitemapEntry {
  readonly slug: string;
  /** Absolute, percent-encoded. */
  readonly loc: string;
  readonly updated_at: string;
  /** Of a type with localized fields: the language of this address. */
  readonly language?: string;
  /**
   * The addresses of the record in all languages in which it has one, this one included, by their tags. `x-default` is that of the default
   * language, for those who read none of them.
   */
  readonly alternates?: Readonly<Record<string, string>>;
}

export type SitemapFormat = 'json' | 'xml';

export const sitemapFormats = {
  json: {
    mediaType: 'application/json',
    write: (entries) => JSON.stringify({ items: entries }),
    escaped: (text) => JSON.stringify(text).slice(1, -1),
  },
  /** https://www.sitemaps.org/protocol.html */
  xml: {
    mediaType: 'application/xml',
    write: (entries) =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${entries.some(({ alternates }) => alternates) ? xhtml : ''}>`,
        ...entries.map(
          ({ loc, updated_at, alternates }) =>
            `<url>${xmlElement('loc', loc)}${xmlElement('lastmod', updated_at)}${alternateLinks(alternates)}</url>`,
        ),
        '</urlset>',
        '',
      ].join('\n'),
    escaped: xmlText,
  },
} as const satisfies Record<
  SitemapFormat,
  {
    readonly mediaType: string;
    write(entries: readonly SitemapEntry[]): string;
    /** A text as it stands within the sitemap. */
    escaped(text: string): string;
  }
>;

/** The namespace of the links to other languages. */
const xhtml = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap */
const alternateLinks = (alternates: SitemapEntry['alternates'] = {}): string =>
  Object.entries(alternates)
    .map(([tag, loc]) => `<xhtml:link rel="alternate" hreflang="${xmlText(tag)}" href="${xmlText(loc)}"/>`)
    .join('');

const formatOf = new Map<string, SitemapFormat>([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/*', 'json'],
  ['*/*', 'json'],
]);

/** The format that an `Accept` header likes best (RFC 9110, section 12.5.1); JSON where it names none. */
export function chosenFormat(accept: string | null): SitemapFormat {
  // Best first.
  const liked = accept === null ? [] : parseAccept(accept.slice(0, 1000)).filter(({ q }) => q > 0);
  for (const { type } of liked) {
    const format = formatOf.get(type.toLowerCase());
    if (format !== undefined) return format;
  }
  return 'json';
}
