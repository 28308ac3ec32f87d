// A blog in several languages: LANGUAGES=en,de names them, the default first. Its addresses have no prefix, the others have their own: /de/posts/hallo.

const languages = (process.env.LANGUAGES ?? '')
  .split(',')
  .map((tag) => tag.trim())
  .filter((tag) => tag !== '');

/** The default language; undefined: the blog has one language, and no switch. */
export const main: string | undefined = languages[0];

/** What the addresses of the blog begin with, for search engines; undefined: it is not known. */
export const blogUrl: string | undefined = process.env.BLOG_URL || undefined;

/** The words of the pages. What is missing here stays as the pages have it: in English. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    'The blog': 'Das Blog',
    Posts: 'Beiträge',
    Post: 'Beitrag',
    Search: 'Suche',
    Find: 'Finden',
    'There are no such posts.': 'Solche Beiträge gibt es nicht.',
    'Newer posts': 'Neuere Beiträge',
    'Older posts': 'Ältere Beiträge',
    Drafts: 'Entwürfe',
    Preview: 'Vorschau',
    Comments: 'Kommentare',
    Comment: 'Kommentar',
    'Write a comment': 'Kommentar schreiben',
    Name: 'Name',
    Send: 'Senden',
    'A guest': 'Ein Gast',
    'Thank you.': 'Danke.',
    'Thank you. Your comment waits for approval.': 'Danke. Dein Kommentar wartet auf Freigabe.',
    'Sign in': 'Anmelden',
    'Sign out': 'Abmelden',
    Email: 'E-Mail',
    Password: 'Passwort',
    Languages: 'Sprachen',
    Categories: 'Kategorien',
    Tags: 'Schlagwörter',
    Account: 'Konto',
    Pages: 'Seiten',
    'This post has not been translated yet.': 'Dieser Beitrag ist noch nicht übersetzt.',
    'Parts of this post have not been translated yet.': 'Teile dieses Beitrags sind noch nicht übersetzt.',
    'Something went wrong.': 'Etwas ist schiefgegangen.',
    'The blog cannot be reached at the moment.': 'Das Blog ist gerade nicht erreichbar.',
  },
};

/** What a page knows of its language. */
export interface PageLanguage {
  /** Undefined where the blog has one language. */
  readonly tag: string | undefined;
  /** The path of the page without its language. */
  readonly path: string;
  /** What calls of the client take. */
  readonly option: { readonly language?: string };
  /** A text of the pages. */
  t(text: string): string;
  /** The address of a page of the blog in this language. */
  to(path: string): string;
}

/** The address of a page in a language. */
const addressIn = (tag: string | undefined, path: string): string =>
  tag === undefined || tag === main ? path : `/${tag}${path}`;

/** The language that an address begins with, and the rest of it. */
export function languageOf(pathname: string): PageLanguage {
  const [, first] = pathname.split('/');
  const other = languages.slice(1).find((tag) => tag === first);
  const tag = other ?? main;
  return {
    tag,
    path: other === undefined ? pathname : pathname.slice(other.length + 1) || '/',
    option: tag === undefined ? {} : { language: tag },
    t: (text) => words[tag ?? '']?.[text] ?? text,
    to: (path) => addressIn(tag, path),
  };
}

/** A link to the same page in a language. */
export interface LanguageLink {
  readonly tag: string;
  /** What the language calls itself. */
  readonly name: string;
  readonly href: string;
}

/** The same page in all languages, for the switch; none where there is one. `pathIn`: the path of the page in a language. */
export const languageLinks = (pathIn: (tag: string) => string): readonly LanguageLink[] =>
  languages.length < 2
    ? []
    : languages.map((tag) => ({
        tag,
        name: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag,
        href: addressIn(tag, pathIn(tag)),
      }));

/** The parts of a record that another language stands in with. */
interface Shown {
  readonly __fallback?: readonly string[];
}

/** The language of a text of a record, where that is not the one of the page. */
export const langOf = ({ __fallback: fallback = [] }: Shown, field: string): { readonly lang?: string } =>
  main !== undefined && fallback.includes(field) ? { lang: main } : {};

/** What is to be said of a post that the language lacks, or parts of it; undefined: nothing. */
export function missingNote({ __fallback: fallback = [] }: Shown): string | undefined {
  if (fallback.includes('title')) return 'This post has not been translated yet.';
  return fallback.includes('content') ? 'Parts of this post have not been translated yet.' : undefined;
}
