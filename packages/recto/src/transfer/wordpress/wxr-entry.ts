/** What a WordPress export (WXR, an RSS 2.0 feed with elements of its own) contains, unconverted. Absent values are empty texts. */
export interface WxrAuthor {
  /** `wp:author_id`; older exports have none. */
  readonly id: string;
  readonly login: string;
  readonly email: string;
  readonly displayName: string;
}

/** A category as the head of the file describes it. */
export interface WxrCategory {
  /** `wp:term_id`; older exports have none. */
  readonly id: string;
  /** `wp:category_nicename`, which no other category has. */
  readonly slug: string;
  /** The slug of the category above it. */
  readonly parent: string;
  readonly name: string;
  readonly description: string;
  readonly meta: WxrMeta;
}

/** A tag, or a term of a taxonomy of a plugin, as the head of the file describes it. */
export interface WxrDescribedTerm {
  readonly id: string;
  /** `post_tag` of a tag. */
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly meta: WxrMeta;
}

/** Custom fields, in their order. */
export type WxrMeta = readonly (readonly [key: string, value: string])[];

/** A term of a taxonomy, such as a tag (`post_tag`) or a category (`category`). */
export interface WxrTerm {
  readonly taxonomy: string;
  readonly name: string;
  /** `nicename`; older exports have none. */
  readonly slug: string;
}

export interface WxrItem {
  readonly id: string;
  /** `post`, `page`, `attachment`, `nav_menu_item` and types that plugins add. */
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly link: string;
  /** The login of its author. */
  readonly creator: string;
  readonly content: string;
  readonly excerpt: string;
  /** `wp:post_name`: percent-encoded where it is not ASCII. */
  readonly slug: string;
  readonly parent: string;
  readonly menuOrder: string;
  readonly date: string;
  readonly dateGmt: string;
  readonly modifiedGmt: string;
  readonly commentStatus: string;
  readonly password: string;
  readonly sticky: string;
  readonly attachmentUrl: string;
  readonly terms: readonly WxrTerm[];
  readonly meta: WxrMeta;
  /** How many custom fields were skipped as unwanted. */
  readonly omittedMeta: number;
}

export interface WxrComment {
  readonly id: string;
  readonly parent: string;
  /** Empty or `comment`, `pingback`, `trackback`, or what plugins add. */
  readonly type: string;
  /** `1`, `0`, `spam`, `trash`. */
  readonly approved: string;
  readonly author: string;
  readonly email: string;
  readonly content: string;
  readonly date: string;
  readonly dateGmt: string;
  /** `0` for an anonymous author. */
  readonly userId: string;
}

/** Receives the entries of a WXR file in file order. A comment comes before its item. */
export interface WxrSink {
  /** Called once, before everything but authors and categories: the address of the site. */
  site(url: string): void;
  author(author: WxrAuthor): void;
  category(category: WxrCategory): void;
  /** Before the items. */
  term(term: WxrDescribedTerm): void;
  /** `item` is the number of its item, from 1. */
  comment(item: number, comment: WxrComment): void;
  item(item: number, content: WxrItem): void;
  /** Whether an item's custom field of that name is needed. */
  wantsMeta(key: string): boolean;
  /** The same of a category, a tag or another term. */
  wantsTermMeta(key: string): boolean;
}
