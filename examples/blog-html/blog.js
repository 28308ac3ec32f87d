import { createClient, inStorage, RectoError } from './client/index.js';
import { t, withLanguage } from './language.js';

const options = {
  url: document.querySelector('meta[name=recto]')?.getAttribute('content') || location.origin,
  // All tabs share it. On the service's own origin, 'cookie' keeps it where no script can read it.
  session: inStorage(localStorage),
};

export const recto = createClient(options);

/** A client for editors, with the same session. Visitors do not load its code. */
export const editorClient = async () => (await import('./client/admin.js')).createAdminClient(options);

/** The account that is signed in, if any. */
export const account = (await recto.auth.signedIn()) ? await recto.auth.me().catch(() => undefined) : undefined;
export const isEditor = account !== undefined && account.role !== 'member';

/** The one element of the page that a selector names. */
export function find(selector) {
  const found = document.querySelector(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** An element with attributes, and texts and elements in it. Texts stay texts, whatever is in them. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** The address of a page of the blog, in the language of this one or in another. Its parameters are encoded. */
export const addressOf = (page, parameters, language) =>
  `${page}?${new URLSearchParams(withLanguage(parameters, language))}`;

/** A link to a page of the blog. */
export const linkTo = (page, parameters, text, attributes = {}) =>
  element('a', { href: addressOf(page, parameters), ...attributes }, text);

/** What a failed call means for the person. */
export function messageOf(error) {
  if (!(error instanceof RectoError)) return t('Something went wrong.');
  return error.is('offline') ? t('The blog cannot be reached at the moment.') : error.message;
}

if (account === undefined) {
  find('#account').append(linkTo('sign-in.html', {}, t('Sign in')));
} else {
  const signOut = element('button', { type: 'button' }, t('Sign out'));
  signOut.addEventListener('click', async () => {
    // Here it ends even if the service cannot be reached.
    await recto.auth.logout().catch(() => undefined);
    location.reload();
  });
  find('#account').append(account.username ?? account.email, ' ', signOut);
}
