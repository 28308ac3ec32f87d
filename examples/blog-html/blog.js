import { createClient, inStorage, RectoError } from './client/index.js';

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

/** A link to a page of the blog. Its parameters are encoded. */
export const linkTo = (page, parameters, text, attributes = {}) =>
  element('a', { href: `${page}?${new URLSearchParams(parameters)}`, ...attributes }, text);

/** What a failed call means for the person. */
export function messageOf(error) {
  if (!(error instanceof RectoError)) return 'Something went wrong.';
  return error.is('offline') ? 'The blog cannot be reached at the moment.' : error.message;
}

if (account === undefined) {
  find('#account').append(element('a', { href: 'sign-in.html' }, 'Sign in'));
} else {
  const signOut = element('button', { type: 'button' }, 'Sign out');
  signOut.addEventListener('click', async () => {
    // Here it ends even if the service cannot be reached.
    await recto.auth.logout().catch(() => undefined);
    location.reload();
  });
  find('#account').append(account.username ?? account.email, ' ', signOut);
}
