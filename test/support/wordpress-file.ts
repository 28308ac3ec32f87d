import { closeSync, openSync, writeSync } from 'node:fs';

/** What the parts of a WordPress export are written like by WordPress itself. */
const head = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
	xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:wp="http://wordpress.org/export/1.2/"
>
<channel>
	<title>A site of the tests</title>
	<link>https://site.example</link>
	<wp:wxr_version>1.2</wp:wxr_version>
	<wp:base_site_url>https://site.example</wp:base_site_url>
	<wp:base_blog_url>https://site.example</wp:base_blog_url>
`;
const foot = '</channel>\n</rss>\n';

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** A whole export with these elements of the channel. */
export const wxr = (...elements: readonly string[]): string => head + elements.join('') + foot;

export function wxrAuthor(id: number, login: string, email: string, name?: string): string {
  const displayed = name === undefined ? '' : `<wp:author_display_name>${cdata(name)}</wp:author_display_name>`;
  return `	<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${cdata(login)}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email>${displayed}</wp:author>\n`;
}

export interface WxrCategorySample {
  readonly id?: number;
  readonly meta?: readonly (readonly [key: string, value: string])[];
  readonly slug: string;
  readonly parent?: string;
  readonly name: string;
  readonly description?: string;
}

const termId = (id?: number): string => (id === undefined ? '' : `<wp:term_id>${id}</wp:term_id>`);

const termMeta = (meta: readonly (readonly [key: string, value: string])[] = []): string =>
  meta
    .map(
      ([key, value]) =>
        `<wp:termmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:termmeta>`,
    )
    .join('');

export interface WxrTermSample {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name?: string;
  readonly description?: string;
  readonly meta?: readonly (readonly [key: string, value: string])[];
}

/** A tag, or a term of a taxonomy of a plugin, in the head of the file. */
export function wxrTerm({ id, taxonomy, slug, name = slug, description, meta }: WxrTermSample): string {
  if (taxonomy === 'post_tag')
    return `	<wp:tag>${termId(id)}<wp:tag_slug>${cdata(slug)}</wp:tag_slug><wp:tag_name>${cdata(name)}</wp:tag_name>${termMeta(meta)}</wp:tag>\n`;
  const described = description === undefined ? '' : `<wp:term_description>${cdata(description)}</wp:term_description>`;
  return `	<wp:term><wp:term_id>${cdata(String(id))}</wp:term_id><wp:term_taxonomy>${cdata(taxonomy)}</wp:term_taxonomy><wp:term_slug>${cdata(slug)}</wp:term_slug><wp:term_parent>${cdata('')}</wp:term_parent><wp:term_name>${cdata(name)}</wp:term_name>${described}${termMeta(meta)}</wp:term>\n`;
}

export const wxrCategory = ({ id, slug, parent = '', name, description = '', meta }: WxrCategorySample): string =>
  `	<wp:category>${termId(id)}<wp:category_nicename>${cdata(slug)}</wp:category_nicename><wp:category_parent>${cdata(parent)}</wp:category_parent><wp:cat_name>${cdata(name)}</wp:cat_name><wp:category_description>${cdata(description)}</wp:category_description>${termMeta(meta)}</wp:category>\n`;

export interface WxrItemSample {
  readonly id: number;
  readonly type?: string;
  readonly status?: string;
  readonly title?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly creator?: string;
  readonly slug?: string;
  readonly parent?: number;
  readonly order?: number;
  readonly date?: string;
  readonly dateGmt?: string;
  readonly modifiedGmt?: string;
  readonly commentStatus?: string;
  readonly password?: string;
  readonly attachmentUrl?: string;
  readonly terms?: readonly (readonly [taxonomy: string, name: string, slug?: string])[];
  readonly meta?: readonly (readonly [key: string, value: string])[];
  readonly comments?: readonly string[];
}

export function wxrItem(item: WxrItemSample): string {
  const {
    id,
    type = 'post',
    title = `Item ${id}`,
    date = '2020-05-17 12:00:00',
    dateGmt = '2020-05-17 10:00:00',
  } = item;
  const terms = (item.terms ?? []).map(
    ([taxonomy, name, slug = 'x']) =>
      `		<category domain="${taxonomy}" nicename="${slug}">${cdata(name)}</category>\n`,
  );
  const meta = (item.meta ?? []).map(
    ([key, value]) =>
      `		<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>\n`,
  );
  return `	<item>
		<title>${cdata(title)}</title>
		<link>https://site.example/?p=${id}</link>
		<dc:creator>${cdata(item.creator ?? 'ada')}</dc:creator>
		<content:encoded>${cdata(item.content ?? '')}</content:encoded>
		<excerpt:encoded>${cdata(item.excerpt ?? '')}</excerpt:encoded>
		<wp:post_id>${id}</wp:post_id>
		<wp:post_date>${date}</wp:post_date>
		<wp:post_date_gmt>${dateGmt}</wp:post_date_gmt>
		${item.modifiedGmt === undefined ? '' : `<wp:post_modified_gmt>${item.modifiedGmt}</wp:post_modified_gmt>`}
		<wp:comment_status>${item.commentStatus ?? 'open'}</wp:comment_status>
		<wp:post_name>${item.slug ?? `item-${id}`}</wp:post_name>
		<wp:status>${item.status ?? 'publish'}</wp:status>
		<wp:post_parent>${item.parent ?? 0}</wp:post_parent>
		<wp:menu_order>${item.order ?? 0}</wp:menu_order>
		<wp:post_type>${type}</wp:post_type>
		<wp:post_password>${cdata(item.password ?? '')}</wp:post_password>
		${item.attachmentUrl === undefined ? '' : `<wp:attachment_url>${cdata(item.attachmentUrl)}</wp:attachment_url>`}
${terms.join('')}${meta.join('')}${(item.comments ?? []).join('')}	</item>
`;
}

export interface WxrCommentSample {
  readonly id: number;
  readonly parent?: number;
  readonly type?: string;
  readonly approved?: string;
  readonly author?: string;
  readonly email?: string;
  readonly content?: string;
  readonly dateGmt?: string;
  readonly userId?: number;
}

export function wxrComment(comment: WxrCommentSample): string {
  const { id, dateGmt = '2020-05-18 10:00:00' } = comment;
  return `		<wp:comment>
			<wp:comment_id>${id}</wp:comment_id>
			<wp:comment_author>${cdata(comment.author ?? 'Zoe')}</wp:comment_author>
			<wp:comment_author_email>${comment.email ?? 'zoe@visitor.example'}</wp:comment_author_email>
			<wp:comment_date>${dateGmt}</wp:comment_date>
			<wp:comment_date_gmt>${dateGmt}</wp:comment_date_gmt>
			<wp:comment_content>${cdata(comment.content ?? `Comment ${id}`)}</wp:comment_content>
			<wp:comment_approved>${comment.approved ?? '1'}</wp:comment_approved>
			<wp:comment_type>${comment.type ?? 'comment'}</wp:comment_type>
			<wp:comment_parent>${comment.parent ?? 0}</wp:comment_parent>
			<wp:comment_user_id>${comment.userId ?? 0}</wp:comment_user_id>
			<wp:commentmeta><wp:meta_key>akismet</wp:meta_key><wp:meta_value>x</wp:meta_value></wp:commentmeta>
		</wp:comment>
`;
}

const words =
  'sea light stone river paper window garden winter morning bridge letter engine salt harbour cloud map'.split(' ');

/** A paragraph that is the same each time, of a few hundred bytes, with words of several scripts. */
function paragraph(seed: number): string {
  const text = Array.from({ length: 60 }, (_, place) => words[(seed * 7 + place * place + place) % words.length]);
  return `<!-- wp:paragraph -->\n<p>Été ${seed}: ${text.join(' ')} — σελίδα &amp; more</p>\n<!-- /wp:paragraph -->\n\n`;
}

/** What `writeWordpressFile` has written. */
export interface WrittenFile {
  readonly posts: number;
  readonly pages: number;
  readonly comments: number;
}

/** Writes a made-up site of about so many bytes: posts of some kilobytes with comments in threads, and every tenth time a page. */
export function writeWordpressFile(path: string, bytes: number): WrittenFile {
  const file = openSync(path, 'w');
  const written = { posts: 0, pages: 0, comments: 0 };
  let size = 0;
  const write = (text: string): void => {
    size += writeSync(file, text);
  };
  write(head);
  write(wxrAuthor(1, 'ada', 'ada@site.example'));
  for (let id = 1; size < bytes; id += 1) {
    const content = Array.from({ length: 5 + (id % 20) }, (_, place) => paragraph(id * 31 + place)).join('');
    if (id % 10 === 0) {
      write(
        wxrItem({ id, type: 'page', title: `Page ${id}`, content, parent: id % 100 === 0 ? 0 : id - 10, order: id }),
      );
      written.pages += 1;
      continue;
    }
    const comments = Array.from({ length: id % 5 }, (_, place) =>
      wxrComment({
        id: id * 10 + place,
        parent: place === 0 ? 0 : id * 10 + place - 1,
        content: paragraph(id + place),
      }),
    );
    write(wxrItem({ id, content, terms: [['post_tag', words[id % words.length] ?? '']], comments }));
    written.posts += 1;
    written.comments += comments.length;
  }
  write(foot);
  closeSync(file);
  return written;
}
