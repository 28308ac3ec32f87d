import { RectoError } from './recto-error.ts';

/** What this uses of a page. Programs are compiled without the types of browsers. */
interface Page {
  addEventListener(type: string, listener: (event: Event) => void): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { readonly state: unknown; replaceState(state: unknown, unused: string, url: string): void };
}

// True in browsers, which alone call what uses it.
const page = globalThis as unknown as Page;

/** What the admin sends to a page that shows a record while it is being written. */
export interface PreviewMessage<R = Readonly<Record<string, unknown>>> {
  /** The singular of the type. */
  readonly content_type: string;
  /** Null: the record has not been saved yet. */
  readonly id: string | null;
  /** The tag of the language that is being written. */
  readonly language?: string;
  /** The record as the form has it. Relations and files are their ids. */
  readonly record: R;
}

/**
 * Calls `show` with each change of the record that is being written. For pages with the service's `/preview.js`, which checks who sends
 * it; the page is not loaded again then when something is saved. `shown`: the record that the page shows. Changes of any other are left out:
 * somebody may have followed a link to this page while another record is being written. Returns what ends it.
 */
export function onPreview<R = Readonly<Record<string, unknown>>>(
  show: (record: R, message: PreviewMessage<R>) => void,
  shown?: { readonly id: string },
): () => void {
  const listen = (event: Event): void => {
    // True because `/preview.js` sends it, with what the admin has sent.
    const message = (event as Event & { readonly detail: PreviewMessage<R> }).detail;
    if (!shown || shown.id === message.id) show(message.record, message);
  };
  const stay = (event: Event): void => event.preventDefault();
  page.addEventListener('recto:preview', listen);
  page.addEventListener('recto:saved', stay);
  // What was sent before the page listened is sent again.
  page.dispatchEvent(new Event('recto:listen'));
  return () => {
    page.removeEventListener('recto:preview', listen);
    page.removeEventListener('recto:saved', stay);
  };
}

/**
 * The attribute that leads from a part of a page to the field in the form: `{...edit(article, 'body.2.title')}`. `collection`: the plural of
 * the type, for pages that show several records.
 */
export const edit = (
  { id }: { readonly id: string },
  path: string,
  collection?: string,
): { readonly 'data-recto': string } => ({ 'data-recto': `${collection ? `${collection}/` : ''}${id}#${path}` });

/** Takes the preview token from behind the `#` of the page's address, so that it does not stay there. Undefined: there is none. */
export function takePreviewToken(): string | undefined {
  const { location, history } = page;
  const [token] = /rpt_[\w-]+/.exec(location.hash) ?? [];
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Reads what a preview token shows. */
export interface PreviewReader {
  /** A record of a collection by its id, or `['slug', slug]`; of a single type without one. Throws `RectoError`. */
  get<R = Readonly<Record<string, unknown>>>(
    collection: string,
    id?: string | readonly ['slug', string],
    query?: Query,
  ): Promise<R>;
  list<R = Readonly<Record<string, unknown>>>(
    collection: string,
    query?: Query,
  ): Promise<{ readonly items: readonly R[]; readonly total: number }>;
}

/**
 * Reads records as they would be when published, past every cache. `url`: where the service is. The reader and the client of
 * `@recto/client` take the token too, as `token`.
 */
export function previewReader(
  token: string,
  { url, fetch: send = fetch }: { readonly url: string; readonly fetch?: typeof fetch },
): PreviewReader {
  const read = async <Body>(path: readonly string[], query: Query = {}): Promise<Body> => {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, `${value}`);
    const base = path[0] === 'posts' || path[0] === 'pages' ? '' : 'cms/';
    const address = `${url.replace(/\/*$/, '')}/api/v1/${base}${path.map(encodeURIComponent).join('/')}?${asked}`;
    const response = await send(address, { headers: { Authorization: `Bearer ${token}` }, cache: 'no-store' });
    const body: unknown = await response.json().catch(() => 0);
    if (!response.ok) throw new RectoError(response.status, body, response.headers);
    // What the route returns, only the caller knows.
    return body as Body;
  };
  return {
    get: (collection, id, query) => read([collection, ...(typeof id === 'string' ? [id] : (id ?? []))], query),
    list: (collection, query) => read([collection], query),
  };
}
