/** A published post as feeds show it. */
export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  /** Absolute, percent-encoded. */
  readonly url: string;
  /** HTML. */
  readonly content: string | null;
  readonly excerpt: string | null;
  /** An absolute address. */
  readonly image: string | null;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly author: FeedAuthor | null;
  readonly categories: readonly FeedCategory[];
  readonly tags: readonly string[];
}

export interface FeedAuthor {
  readonly name: string;
  readonly website: string | null;
  readonly avatar: string | null;
}

export interface FeedCategory {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** The tag of the language that its posts are in; absent: nobody has said. */
  readonly language?: string;
  /** The site that shows the posts. */
  readonly home: string;
  /** Where the feed itself is. */
  readonly self: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

type Members = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
// True because an object that is not null has members.
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A feed is read elsewhere: a path on the site leads nowhere there. */
const absolute = (value: unknown): string | null => {
  const text = textOf(value);
  return text !== null && /^https?:/i.test(text) ? text : null;
};

/** A file of this service, or what is absolute. */
const imageOf = (value: unknown, origin: string): string | null => {
  const url = textOf(membersOf(value).url);
  return url === null ? absolute(value) : `${origin}${url}`;
};

/** Where readers of a feed find what its entries name. */
export interface FeedPlaces {
  /** Where posts are shown. */
  readonly base: string;
  /** Of this service, which has the files. */
  readonly origin: string;
}

/** An entry of a post as lists return it. */
export function feedEntry(post: unknown, { base, origin }: FeedPlaces): FeedEntry {
  const { id, title, slug, content, excerpt, cover_image, published_at, updated_at, author, categories, tags } =
    membersOf(post);
  return {
    id: String(id),
    title: textOf(title) ?? '',
    url: `${base}/${encodeURIComponent(String(slug))}`,
    content: textOf(content),
    excerpt: textOf(excerpt),
    image: imageOf(cover_image, origin),
    publishedAt: textOf(published_at) ?? String(updated_at),
    updatedAt: String(updated_at),
    author: authorOf(membersOf(author)),
    categories: listOf(categories).flatMap((category) => categoryOf(membersOf(category)) ?? []),
    tags: listOf(tags).map(String),
  };
}

function authorOf({ display_name, website, avatar }: Members): FeedAuthor | null {
  const name = textOf(display_name);
  return name === null ? null : { name, website: textOf(website), avatar: absolute(avatar) };
}

function categoryOf({ id, name, slug }: Members): FeedCategory | undefined {
  const text = textOf(name);
  return text === null ? undefined : { id: String(id), name: text, slug: String(slug) };
}

/** The names of an entry's categories and tags, each once. */
export const entryWords = ({ categories, tags }: FeedEntry): readonly string[] => [
  ...new Set([...categories.map(({ name }) => name), ...tags]),
];
