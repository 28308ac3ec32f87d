import type { LinkedRecord } from '../answers/record-links.ts';

/** A link in a rich text. */
export interface HtmlLink {
  readonly href: string;
  /** The record that `data-record` names. */
  readonly record: LinkedRecord | null;
}

const anchor = /<a\s[^<>]*>/gi;
const hrefs = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const reference = /\sdata-record="([a-z][a-z0-9_-]*)\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"/;

/** `[text](address)` of Markdown. */
const markdownLink = /\]\(([^()\s<>]+)/g;

/** The links in a text of HTML or Markdown, in their order. */
export function htmlLinks(text: string): readonly HtmlLink[] {
  const links: { readonly at: number; readonly link: HtmlLink }[] = [];
  for (const { 0: tag, index: at } of text.matchAll(anchor)) {
    const [, quoted, single] = hrefs.exec(tag) ?? [];
    const [, plural = '', id = ''] = reference.exec(tag) ?? [];
    const href = (quoted ?? single ?? '').replaceAll('&amp;', '&');
    const record = id === '' ? null : { plural, id };
    if (href !== '' || record !== null) links.push({ at, link: { href, record } });
  }
  for (const { 1: href = '', index: at } of text.matchAll(markdownLink))
    links.push({ at, link: { href, record: null } });
  return links.toSorted((a, b) => a.at - b.at).map(({ link }) => link);
}

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The addresses of a site whose records are at `/{plural}/{slug}`. */
export class SiteAddresses {
  readonly #begins: readonly string[];

  /** `publicUrl`: what absolute addresses of the site begin with; undefined: none are known. */
  constructor(publicUrl: string | undefined) {
    const base = publicUrl?.replace(/\/+$/, '');
    const path = base === undefined ? undefined : URL.parse(base)?.pathname.replace(/\/+$/, '');
    this.#begins = [...new Set(['', path ?? '', ...(base === undefined ? [] : [base])])];
  }

  /** The type and the slug that an address names; undefined where it is no address of a record. */
  read(href: string): { readonly plural: string; readonly slug: string } | undefined {
    const end = href.search(/[?#]/);
    const path = end === -1 ? href : href.slice(0, end);
    for (const begin of this.#begins) {
      if (!path.startsWith(`${begin}/`)) continue;
      const [plural = '', name = '', ...rest] = path.slice(begin.length + 1).split('/');
      const slug = name.replace(/\.html?$/, '');
      if (rest.every((part) => part === '') && slugPattern.test(slug)) return { plural, slug };
    }
    return undefined;
  }
}
