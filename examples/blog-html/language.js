/** The languages of the blog, the default first; empty: it has one, and no switch. */
const languages = (document.querySelector('meta[name=recto-languages]')?.getAttribute('content') ?? '')
  .split(',')
  .map((tag) => tag.trim())
  .filter((tag) => tag !== '');
const [main] = languages;
const asked = new URLSearchParams(location.search).get('language');

/** The language of the page; undefined where the blog has one. */
export const language = languages.includes(asked) ? asked : main;

/** What calls of the client take. */
export const inLanguage = language === undefined ? {} : { language };

/** The words of the pages. What is missing here stays as the pages have it: in English. */
const words = {
  de: {
    'The blog': 'Das Blog',
    Posts: 'Beiträge',
    Search: 'Suche',
    Find: 'Finden',
    'Loading …': 'Wird geladen …',
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

/** A text of the pages in the language of the page. */
export const t = (text) => words[language]?.[text] ?? text;

/** A day, as the language writes it. */
export const dayOf = (time) => new Date(time).toLocaleDateString(language, { dateStyle: 'long' });

/** The parameters of a link to a page in a language. The default language has none. */
export const withLanguage = (parameters, tag = language) =>
  tag === undefined || tag === main ? parameters : { ...parameters, language: tag };

/** The language in which a value of a record is shown, where that is not the one of the page. */
export const languageOf = ({ __fallback: fallback = [] }, field) => (fallback.includes(field) ? { lang: main } : {});

/** What is to be said of a post that the language lacks, or parts of it; undefined: nothing. */
export function missingNote({ __fallback: fallback = [] }) {
  if (fallback.includes('title')) return t('This post has not been translated yet.');
  return fallback.includes('content') ? t('Parts of this post have not been translated yet.') : undefined;
}

const nameOf = (tag) => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;

/** Shows the links to the same page in the other languages. `addressIn`: the address of the page in one. */
export function showLanguages(addressIn) {
  const place = document.querySelector('#languages');
  if (place === null || languages.length < 2) return;
  const links = languages.map((tag) => {
    const link = document.createElement('a');
    Object.assign(link, { href: addressIn(tag), lang: tag, hreflang: tag, textContent: nameOf(tag) });
    if (tag === language) link.setAttribute('aria-current', 'true');
    return link;
  });
  place.replaceChildren(...links);
}

/** Names the addresses of a post in other languages to search engines: those in which it can be read. */
export function nameAlternates(alternates, addressIn) {
  for (const old of document.head.querySelectorAll('link[rel=alternate]')) old.remove();
  const tags = languages.filter((tag) => tag in alternates);
  if (tags.length < 2) return;
  for (const [hreflang, tag] of [
    ...tags.map((tag) => [tag, tag]),
    ...(tags.includes(main) ? [['x-default', main]] : []),
  ]) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'alternate', hreflang, href: new URL(addressIn(tag), location.href).href });
    document.head.append(link);
  }
}

/** The slug of a post in the default language, by which its comments are found. */
export const mainSlug = ({ slug, __alternates: alternates = {} }) => alternates[main]?.slug ?? slug;

if (language !== undefined) {
  document.documentElement.lang = language;
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    if (data.trim() !== '') texts.currentNode.data = data.replace(data.trim(), () => t(data.trim()));
  }
  for (const named of document.querySelectorAll('[aria-label]'))
    named.setAttribute('aria-label', t(named.getAttribute('aria-label')));
  // Links that the pages have as they are.
  for (const link of document.querySelectorAll('a[href$=".html"]'))
    link.search = `${new URLSearchParams(withLanguage({}))}`;
}
