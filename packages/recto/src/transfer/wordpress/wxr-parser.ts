import { SaxesParser, type SaxesTagNS } from 'saxes';
import { withoutEnding } from '../../base/without-ending.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { BareAmpersand } from './bare-ampersand.ts';
import {
  authorElements,
  categoryElements,
  channelElements,
  commentElements,
  elementName,
  emptyTexts,
  itemElements,
  metaElements,
  tagElements,
  termElements,
} from './wxr-elements.ts';
import type { WxrSink, WxrTerm } from './wxr-entry.ts';

/** The longest single text, and all texts of one item without its comments, in UTF-16 units: what memory has to hold. */
export const wxrLimits = { text: 16 * 1024 * 1024, item: 32 * 1024 * 1024, depth: 64 } as const;

/** The custom fields of a term that are kept. */
const mostTermMeta = 20;

/** The elements with relevant children, by their parent. */
const containers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { rss: 'rss' },
  rss: { channel: 'channel' },
  channel: {
    ...{ item: 'item', 'wp:author': 'author' },
    ...{ 'wp:category': 'category', 'wp:tag': 'tag', 'wp:term': 'term' },
  },
  item: { 'wp:comment': 'comment', 'wp:postmeta': 'meta' },
  category: { 'wp:termmeta': 'meta' },
  tag: { 'wp:termmeta': 'meta' },
  term: { 'wp:termmeta': 'meta' },
};

const textElements: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  channel: channelElements,
  author: authorElements,
  category: categoryElements,
  tag: tagElements,
  term: termElements,
  item: { ...itemElements, category: 'category' },
  comment: commentElements,
  meta: metaElements,
};

/** The item that is being read. */
class OpenItem {
  readonly texts: Record<string, string> & ReturnType<typeof emptyTexts<ItemMember>> = emptyTexts(itemElements);
  readonly terms: WxrTerm[] = [];
  readonly meta: [string, string][] = [];
  omittedMeta = 0;
  size = 0;
}

type ItemMember = (typeof itemElements)[keyof typeof itemElements];

/**
 * A streaming parser for WXR that passes entries on as it finds them. Throws a `TransferRefused` for input that is not
 * well-formed XML, is not a WordPress export, or has absurdly long texts. Document types are rejected, so that the only
 * entities are XML's own.
 */
export class WxrParser {
  readonly #file: string;
  readonly #sink: WxrSink;
  readonly #parser: SaxesParser<{ xmlns: true }>;
  /** The open elements; undefined for irrelevant ones and everything below them. */
  readonly #open: (string | undefined)[] = [];
  #channel = emptyTexts(channelElements);
  #author = emptyTexts(authorElements);
  #category = emptyTexts(categoryElements);
  #tag = emptyTexts(tagElements);
  #term = emptyTexts(termElements);
  /** The custom fields of the category, tag or term. */
  #termMeta: [string, string][] = [];
  #comment = emptyTexts(commentElements);
  #meta = emptyTexts(metaElements);
  #item = new OpenItem();
  #items = 0;
  #seenVersion = false;
  /** The text being read, in pieces; undefined when it is not needed. */
  #text: string[] | undefined;
  #textSize = 0;
  /** The attributes of the element that is being read. */
  #named = { taxonomy: '', slug: '' };
  readonly #bareAmpersand = new BareAmpersand();
  /** The most that the parser buffers of an unfinished token. */
  #pending = 0;

  /** `file` is its name in messages. */
  constructor(file: string, sink: WxrSink) {
    this.#file = file;
    this.#sink = sink;
    this.#parser = new SaxesParser({ xmlns: true });
    this.#listen();
  }

  write(piece: string): void {
    this.#pending += piece.length;
    this.#bareAmpersand.write(piece);
    this.#parser.write(piece);
    if (this.#pending > wxrLimits.text + piece.length) this.#tooLong();
  }

  /** Called at the end of the file. */
  close(): void {
    this.#parser.close();
    this.#requireVersion();
  }

  get line(): number {
    return this.#parser.line;
  }

  #listen(): void {
    const parser = this.#parser;
    parser.on('error', ({ message }) => this.#malformed(message));
    parser.on('doctype', () => this.#foreign('it has a document type, which no WordPress export has'));
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return;
      throw new TransferRefused(`${this.#file} says that it is written in ${encoding}: convert it to UTF-8 first.`);
    });
    parser.on('opentag', (tag) => this.#begin(tag));
    parser.on('closetag', () => this.#end());
    parser.on('text', (text) => this.#collect(text));
    parser.on('cdata', (text) => {
      this.#passed();
      this.#collect(text);
    });
    parser.on('comment', () => this.#passed());
    parser.on('processinginstruction', () => this.#passed());
  }

  /** A complete tag, comment or section has been read. */
  #passed(): void {
    this.#progressed();
    const { position, line, column } = this.#parser;
    this.#bareAmpersand.passed(position, line, column);
  }

  #progressed(): void {
    this.#pending = 0;
  }

  #begin({ uri, local, name, attributes }: SaxesTagNS): void {
    this.#passed();
    if (this.#open.length >= wxrLimits.depth) {
      throw new TransferRefused(
        `${this.#file} has elements nested deeper than ${wxrLimits.depth}, at line ${this.line}.`,
      );
    }
    const outer = this.#open.length === 0 ? '' : this.#open.at(-1);
    const known = elementName(uri, local) ?? '';
    const container = outer === undefined ? undefined : memberOf(containers[outer], known);
    if (outer === '' && container === undefined) this.#foreign(`its outermost element is <${name.slice(0, 50)}>`);
    const text = outer === undefined ? undefined : memberOf(textElements[outer], known);
    this.#open.push(container ?? (text === undefined ? undefined : `text:${text}`));
    if (container !== undefined) this.#beginContainer(container);
    if (text === undefined) return;
    this.#text = [];
    this.#textSize = 0;
    this.#named = { taxonomy: attributes.domain?.value ?? 'category', slug: attributes.nicename?.value ?? '' };
  }

  #beginContainer(container: string): void {
    if (container === 'item') {
      this.#requireVersion();
      this.#item = new OpenItem();
      this.#items += 1;
    }
    if (container === 'author') this.#author = emptyTexts(authorElements);
    if (container === 'category' || container === 'tag' || container === 'term') {
      this.#category = emptyTexts(categoryElements);
      this.#tag = emptyTexts(tagElements);
      this.#term = emptyTexts(termElements);
      this.#termMeta = [];
    }
    if (container === 'comment') this.#comment = emptyTexts(commentElements);
    if (container === 'meta') this.#meta = emptyTexts(metaElements);
  }

  /** Checks, once the head of the channel has been read, that WordPress wrote it. */
  #requireVersion(): void {
    if (this.#seenVersion) return;
    const { version, blog, site, link } = this.#channel;
    if (version === '') this.#foreign('it is an RSS feed without wp:wxr_version');
    if (!/^1(?:\.\d+)?$/.test(version)) {
      throw new TransferRefused(
        `${this.#file} is a WordPress export of version ${version.slice(0, 20)}; versions 1.0 to 1.2 can be read.`,
      );
    }
    this.#sink.site(withoutEnding(blog || site || link, '/'));
    this.#seenVersion = true;
  }

  #collect(piece: string): void {
    this.#progressed();
    if (this.#text === undefined) return;
    this.#text.push(piece);
    this.#textSize += piece.length;
    if (this.#textSize > wxrLimits.text) this.#tooLong();
  }

  #end(): void {
    this.#passed();
    const closed = this.#open.pop();
    if (closed === undefined) return;
    if (closed.startsWith('text:')) this.#endText(closed.slice('text:'.length));
    else this.#endContainer(closed);
  }

  #endText(member: string): void {
    const text = (this.#text ?? []).join('');
    this.#text = undefined;
    const outer = this.#open.at(-1) ?? '';
    if (outer === 'item' || outer === 'meta') this.#weigh(text);
    if (outer === 'item' && member === 'category') {
      this.#item.terms.push({ ...this.#named, name: text.trim() });
      return;
    }
    const texts = this.#textsOf(outer);
    if (texts !== undefined) texts[member] = member === 'content' || member === 'value' ? text : text.trim();
  }

  #textsOf(container: string): Record<string, string> | undefined {
    switch (container) {
      case 'channel':
        return this.#channel;
      case 'author':
        return this.#author;
      case 'category':
        return this.#category;
      case 'tag':
        return this.#tag;
      case 'term':
        return this.#term;
      case 'item':
        return this.#item.texts;
      case 'comment':
        return this.#comment;
      case 'meta':
        return this.#meta;
      default:
        return undefined;
    }
  }

  #weigh(text: string): void {
    this.#item.size += text.length;
    if (this.#item.size <= wxrLimits.item) return;
    const { id, title } = this.#item.texts;
    throw new TransferRefused(
      `${this.#file} has an item of more than ${wxrLimits.item / 1024 / 1024} million characters (post_id ${id || 'unknown'}, “${title.slice(0, 60)}”), which ends at line ${this.line} or later.`,
    );
  }

  #endContainer(container: string): void {
    const { texts, terms, meta, omittedMeta } = this.#item;
    if (container === 'author') this.#sink.author(this.#author);
    const termMeta = this.#termMeta;
    if (container === 'category') this.#sink.category({ ...this.#category, meta: termMeta });
    if (container === 'tag') {
      this.#sink.term({ ...this.#tag, taxonomy: 'post_tag', description: '', meta: termMeta });
    }
    if (container === 'term') this.#sink.term({ ...this.#term, meta: termMeta });
    if (container === 'comment') this.#sink.comment(this.#items, this.#comment);
    if (container === 'item') this.#sink.item(this.#items, { ...texts, terms, meta, omittedMeta });
    if (container === 'meta') this.#endMeta();
  }

  #endMeta(): void {
    const { key, value } = this.#meta;
    if (key === '') return;
    if (this.#open.at(-1) !== 'item') {
      this.#item.size -= key.length + value.length;
      // More would be a file that is made to fill the memory.
      if (this.#sink.wantsTermMeta(key) && this.#termMeta.length < mostTermMeta) this.#termMeta.push([key, value]);
      return;
    }
    if (this.#sink.wantsMeta(key)) {
      this.#item.meta.push([key, value]);
      return;
    }
    this.#item.omittedMeta += 1;
    this.#item.size -= key.length + value.length;
  }

  #tooLong(): never {
    throw new TransferRefused(
      `${this.#file} has a text of more than ${wxrLimits.text / 1024 / 1024} million characters, which reaches line ${this.line}: that is no site's content.`,
    );
  }

  #malformed(message: string): never {
    const ampersand = this.#bareAmpersand.find();
    const [, atLine = String(this.line), atColumn = '', said = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
    const { line, column } = ampersand ?? { line: atLine, column: atColumn };
    const what = ampersand === undefined ? said : 'an “&” that must be written “&amp;”';
    const place = `line ${line}${column === '' ? '' : `, column ${column}`}`;
    if (this.#open.length === 0 && this.#items === 0 && !this.#seenVersion) {
      this.#foreign(`it is not XML (${place}: ${what.replace(/\.$/, '')})`);
    }
    throw new TransferRefused(
      `${this.#file} is damaged at ${place}: ${what.replace(/\.$/, '')}. Nothing was imported: export the site again.`,
    );
  }

  #foreign(why: string): never {
    throw new TransferRefused(
      `${this.#file} is no WordPress export: ${why}. In WordPress, Tools → Export gives the file that is needed.`,
    );
  }
}

const memberOf = (table: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
