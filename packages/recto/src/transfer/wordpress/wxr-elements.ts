/** Namespaces of WXR by WordPress's prefix. Some older files use `https:`. */
const namespaces: readonly (readonly [prefix: string, uri: RegExp])[] = [
  ['wp', /^https?:\/\/wordpress\.org\/export\/[\d.]+\/$/],
  ['excerpt', /^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/$/],
  ['content', /^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/],
  ['dc', /^https?:\/\/purl\.org\/dc\/elements\/1\.1\/$/],
];

const prefixes = new Map<string, string | undefined>([['', '']]);

/** An element's name with WordPress's prefix for its namespace, whatever prefix the file uses; undefined for a foreign one. */
export function elementName(uri: string, local: string): string | undefined {
  let prefix = prefixes.get(uri);
  if (prefix === undefined) {
    if (prefixes.has(uri)) return undefined;
    prefix = namespaces.find(([, pattern]) => pattern.test(uri))?.[0];
    // A file may declare any number of foreign ones.
    if (prefixes.size < 100) prefixes.set(uri, prefix);
    if (prefix === undefined) return undefined;
  }
  return prefix === '' ? local : `${prefix}:${local}`;
}

/** Maps an element to the member of an item, comment or author that holds its text. */
export const itemElements = {
  'wp:post_id': 'id',
  'wp:post_type': 'type',
  'wp:status': 'status',
  title: 'title',
  link: 'link',
  'dc:creator': 'creator',
  'content:encoded': 'content',
  'excerpt:encoded': 'excerpt',
  'wp:post_name': 'slug',
  'wp:post_parent': 'parent',
  'wp:menu_order': 'menuOrder',
  'wp:post_date': 'date',
  'wp:post_date_gmt': 'dateGmt',
  'wp:post_modified_gmt': 'modifiedGmt',
  'wp:comment_status': 'commentStatus',
  'wp:post_password': 'password',
  'wp:is_sticky': 'sticky',
  'wp:attachment_url': 'attachmentUrl',
} as const;

export const commentElements = {
  'wp:comment_id': 'id',
  'wp:comment_parent': 'parent',
  'wp:comment_type': 'type',
  'wp:comment_approved': 'approved',
  'wp:comment_author': 'author',
  'wp:comment_author_email': 'email',
  'wp:comment_content': 'content',
  'wp:comment_date': 'date',
  'wp:comment_date_gmt': 'dateGmt',
  'wp:comment_user_id': 'userId',
} as const;

export const authorElements = {
  'wp:author_id': 'id',
  'wp:author_login': 'login',
  'wp:author_email': 'email',
  'wp:author_display_name': 'displayName',
} as const;

export const categoryElements = {
  'wp:term_id': 'id',
  'wp:category_nicename': 'slug',
  'wp:category_parent': 'parent',
  'wp:cat_name': 'name',
  'wp:category_description': 'description',
} as const;

/** Of a tag in the head of the file. */
export const tagElements = {
  'wp:term_id': 'id',
  'wp:tag_slug': 'slug',
  'wp:tag_name': 'name',
} as const;

/** Of a term of another taxonomy in the head of the file. */
export const termElements = {
  'wp:term_id': 'id',
  'wp:term_taxonomy': 'taxonomy',
  'wp:term_slug': 'slug',
  'wp:term_name': 'name',
  'wp:term_description': 'description',
} as const;

export const metaElements = { 'wp:meta_key': 'key', 'wp:meta_value': 'value' } as const;

export const channelElements = {
  'wp:wxr_version': 'version',
  'wp:base_blog_url': 'blog',
  'wp:base_site_url': 'site',
  link: 'link',
} as const;

/** Texts by member, all empty. */
export function emptyTexts<Member extends string>(elements: Readonly<Record<string, Member>>): Record<Member, string> {
  // True because the members are the values of the table.
  return Object.fromEntries(Object.values(elements).map((member) => [member, ''])) as Record<Member, string>;
}
