/** Where the admin is served. Addresses of the admin are below it, and `place.path` is without it. */
export const base = '/admin';

interface Place {
  /** Without `/admin`: `/content/posts`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const placeOf = ({ pathname, search }: { readonly pathname: string; readonly search: string }): Place => ({
  path: pathname.slice(base.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(search),
});

let current = $state.raw(placeOf(location));
// By itself, so that a change of the query alone is none of the path: the page stays as it is then.
const path = $derived(current.path);

/** The page that is shown. Reactive. */
export const place: Place = {
  get path() {
    return path;
  },
  get query() {
    return current.query;
  },
};

/** The address of a page, for links: `href('/media')`. */
export const href = (path: string): string => base + (path === '/' ? '/' : path);

type Guard = () => boolean | Promise<boolean>;
const guards = new Set<Guard>();

/** Whether a guard is asked before the place is shown: another page, or this one in another language of what is written. */
const isLeft = ({ path, query }: Place): boolean =>
  guards.size > 0 && (path !== current.path || query.get('language') !== current.query.get('language'));

/** `mayLeave` is asked before another page is shown; false stays. Returns the removal. */
export function guardLeaving(mayLeave: Guard): () => void {
  guards.add(mayLeave);
  return () => guards.delete(mayLeave);
}

async function mayLeave(): Promise<boolean> {
  for (const guard of [...guards]) if (!(await guard())) return false;
  return true;
}

/** The position in the history, so that a step back can be undone when a guard says no. */
const position = (): number => (typeof history.state?.position === 'number' ? history.state.position : 0);
let shown = position();
history.replaceState({ position: shown }, '');

type Listener = (place: Place) => void;
const listeners = new Set<Listener>();

/** Called after another path is shown; not for a change of the query alone. */
export function onNavigate(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where somebody was on a page that they left. */
export interface Spot {
  /** How far it was scrolled, in pixels. */
  readonly scrolled: number;
  /** The address of the link that had the focus, or of the row that had it. */
  readonly link: string | undefined;
}

/** By their position in the history, so that the way back leads to the same place. */
const spots = new Map<number, Spot>();
let spot: Spot | undefined;

/** Where somebody was on the page that is shown, if they have come back to it. */
export const spotLeft = (): Spot | undefined => spot;

function currentSpot(): Spot {
  const { activeElement } = document;
  const link = activeElement?.closest('a') ?? activeElement?.closest('tr')?.querySelector('a');
  return { scrolled: scrollY, link: link?.href };
}

function show(isReturn = false): void {
  const before = current.path;
  const leaving = shown;
  current = placeOf(location);
  shown = position();
  if (current.path !== named) named = undefined;
  if (current.path === before) return;
  spots.set(leaving, currentSpot());
  spot = isReturn ? spots.get(shown) : undefined;
  for (const listener of listeners) listener(current);
}

/**
 * Shows a page: `navigate('/content/posts?sort=title:asc')`. Guards are asked when the path changes or the language of what is written, not for
 * the rest of the query.
 */
export function navigate(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const address = new URL(href(path), location.origin);
  const go = (): void => {
    if (address.href === location.href) return;
    if (replace) history.replaceState({ position: shown }, '', address);
    else history.pushState({ position: shown + 1 }, '', address);
    show();
  };
  if (isLeft(placeOf(address))) void mayLeave().then((yes) => yes && go());
  else go();
}

let named: string | undefined;

/**
 * Gives the page that is shown another address, in the place of its own: a new record that was stored has one now. Nobody is asked, and
 * the focus stays where it is.
 */
export function replaceAddress(path: string): void {
  history.replaceState({ position: shown }, '', href(path));
  named = placeOf(location).path;
  show();
}

/** Whether the page at this path was there before it had the path. */
export const isSamePage = (path: string): boolean => path === named;

/** Set while a step in the history is undone or made again, which nobody is asked about. */
let ignored = 0;

async function onPopState(): Promise<void> {
  if (ignored > 0) {
    ignored -= 1;
    show(true);
    return;
  }
  const delta = position() - shown;
  if (!isLeft(placeOf(location)) || delta === 0) {
    show(true);
    return;
  }
  // The address is put back first, so that it is that of the page while the question is open.
  const back = new Promise<void>((resolve) => window.addEventListener('popstate', () => resolve(), { once: true }));
  ignored += 1;
  history.go(-delta);
  await back;
  if (!(await mayLeave())) return;
  ignored += 1;
  history.go(delta);
}

/** Links of the page are followed without loading it again. Other origins, downloads and new tabs are left to the browser. */
function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
  // A click into a text that is being written puts the cursor there.
  if (link.isContentEditable) return;
  if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return;
  // A place on this page, such as that of a field.
  if (link.hash !== '' && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(placeOf(link).path + link.search);
}

/** Follows links and the browser's back and forward. Returns the end of it. */
export function startNavigation(): () => void {
  const pop = (): void => void onPopState();
  window.addEventListener('popstate', pop);
  document.addEventListener('click', onClick);
  return () => {
    window.removeEventListener('popstate', pop);
    document.removeEventListener('click', onClick);
  };
}
