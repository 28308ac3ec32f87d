import { slugify } from '../../definition/fields/slug.ts';
import type { TransferTally } from '../transfer-report.ts';
import { mapComment } from './comment-mapping.ts';
import { itemLanguage, localeIn, metaLanguage, polylang, saysLanguage, translationsIn } from './entry-language.ts';
import { plainLine, plainText } from './html-text.ts';
import type { ImportContext } from './import-context.ts';
import { entryName } from './import-publications.ts';
import { metaValue, usefulMeta, wantsMeta } from './meta-mapping.ts';
import { mapPublication } from './post-mapping.ts';
import { omittedStatuses } from './publication-status.ts';
import { wordpressInstant } from './wordpress-date.ts';
import type { PublicationKind, WordpressStaging } from './wordpress-staging.ts';
import type { WxrAuthor, WxrCategory, WxrComment, WxrDescribedTerm, WxrItem, WxrSink } from './wxr-entry.ts';

/** Why items of some types are skipped; items of all other types belong to a plugin or to WordPress itself. */
const omittedTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    attachment: 'files stay where they are; the address of a featured image is kept',
    nav_menu_item: 'there are no menus here',
    revision: 'older versions of other items',
  }),
);
const otherType = 'no content of pages, posts or comments';

/** Adds the entries of a WordPress export to the staging, and counts those that are skipped. */
export class WordpressEntries implements WxrSink {
  /** The exported site. */
  source = '';
  readonly #types: ImportContext['types'];
  readonly #staging: WordpressStaging;
  readonly #tally: TransferTally;
  readonly #now: string;
  readonly #takesFiles: boolean;

  /** `takesFiles`: attachments are counted where their files are brought in. */
  constructor(
    types: ImportContext['types'],
    staging: WordpressStaging,
    tally: TransferTally,
    now: string,
    takesFiles = false,
  ) {
    this.#takesFiles = takesFiles;
    this.#types = types;
    this.#staging = staging;
    this.#tally = tally;
    this.#now = now;
  }

  readonly wantsMeta = wantsMeta;
  readonly wantsTermMeta = saysLanguage;

  site(url: string): void {
    this.source = url;
  }

  author(author: WxrAuthor): void {
    if (author.login !== '') this.#staging.addAuthor(author);
  }

  category(category: WxrCategory): void {
    const { slug, parent, description } = category;
    const name = plainLine(category.name);
    if (name === '') return;
    const key = slug || slugify(name);
    this.#staging.addCategory({ key, name, parent, description: plainText(description) });
    this.#staging.languages.addTerm('category', { id: category.id, key, name }, metaLanguage(category.meta));
  }

  term({ id, taxonomy, slug, description, meta, ...term }: WxrDescribedTerm): void {
    const { languages } = this.#staging;
    switch (taxonomy) {
      case 'post_tag': {
        const name = plainLine(term.name);
        if (slug !== '' && name !== '') languages.addTerm('post_tag', { id, key: slug, name }, metaLanguage(meta));
        return;
      }
      case polylang.language:
        if (slug !== '') languages.addLanguage({ code: slug.toLowerCase(), locale: localeIn(description) });
        return;
      case polylang.posts:
      case polylang.terms: {
        const kind = taxonomy === polylang.posts ? 'posts' : 'terms';
        for (const [code, entry] of translationsIn(description))
          languages.addTranslation(kind, entry, code, `polylang:${slug.toLowerCase()}`);
        return;
      }
      default:
    }
  }

  comment(item: number, comment: WxrComment): void {
    const mapped = mapComment(comment, this.#types.comment, this.#now);
    const { id, parent } = comment;
    if (id === '') this.#tally.skipped('comments', 'without wp:comment_id', '');
    else if (!this.#staging.addComment(item, id, parent, mapped)) this.#tally.skipped('comments', twice, id);
  }

  item(number: number, item: WxrItem): void {
    const { type, id } = item;
    if (type === 'attachment' && id !== '') {
      const about = {
        title: item.title,
        alt: metaValue(item, usefulMeta.alt).trim().slice(0, 2000),
        caption: plainText(item.excerpt).slice(0, 5000),
        created: wordpressInstant(item.dateGmt, item.date) ?? this.#now,
      };
      this.#staging.addAttachment(id, item.attachmentUrl, about, itemLanguage(item));
      if (this.#takesFiles) return;
    }
    if (type === 'page' || type === 'post') this.#publication(number, type, item);
    else
      this.#tally.skipped(
        type === '' ? 'without type' : type.slice(0, 40),
        omittedTypes.get(type) ?? otherType,
        this.#name(item),
      );
  }

  #publication(number: number, kind: PublicationKind, item: WxrItem): void {
    const { id, status } = item;
    const plural = `${kind}s`;
    const omitted = Object.hasOwn(omittedStatuses, status) ? omittedStatuses[status] : undefined;
    if (id === '') this.#tally.skipped(plural, 'without wp:post_id', this.#name(item));
    else if (omitted !== undefined) this.#tally.skipped(plural, omitted, this.#name(item));
    else if (
      !this.#staging.addItem(number, kind, id, item.parent, mapPublication(item, this.#types[kind], this.#now))
    ) {
      this.#tally.skipped(plural, twice, this.#name(item));
    } else if (item.creator !== '') {
      this.#staging.addCreator(item.creator);
    }
  }

  #name({ id, title }: WxrItem): string {
    return entryName(id, title);
  }
}

const twice = 'more than once in the file';
