import { anonymous, type Caller } from '../../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import { notFound, Problem } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { includableFields } from '../../definition/includable-fields.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { endpointViews } from '../../definition/rights/read-view.ts';
import { bodyBytes } from '../../http/bodies/body-bytes.ts';
import type { Mount, MountRequest } from '../../http/mount.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import type { Previews } from '../../previews/previews.ts';
import { type Answer, etagOf, namesTag } from '../../records/answers/answer.ts';
import type { Records } from '../../records/records.ts';
import { pageScript, pageStyle } from './page-script.ts';
import { pageTexts } from './page-texts.ts';
import { pageType } from './page-type.ts';
import { ownPage } from './preview-address.ts';
import { siteScript } from './site-script.ts';

/** What the page works with: the content types as they are now. */
export interface PageParts {
  readonly records: Records;
  readonly previews: Previews;
}

/** `/preview.js`, for pages of a site. */
export const siteScriptMount: Mount = {
  prefix: '/preview.js',
  handle: ({ request, path }) => {
    if (path !== '') throw nothing();
    return file(request, siteScript, 'text/javascript; charset=utf-8');
  },
};

/** The service's own page for previews. What it shows it asks for with the token, which no address has. */
export const ownPageMount = (parts: PageParts): Mount => ({
  prefix: ownPage,
  handle: (asked) => answered(parts, asked),
});

function answered(parts: PageParts, { request, path }: MountRequest): MaybePromise<Response> {
  switch (path) {
    case '':
    case '/':
      return page(request);
    case '/page.js':
      return file(request, pageScript, 'text/javascript; charset=utf-8');
    case '/page.css':
      return file(request, pageStyle, 'text/css; charset=utf-8');
    case '/data':
      return data(parts, request).catch(refused);
    default:
      throw nothing();
  }
}

const nothing = (): Problem => new Problem(404, 'route_not_found', 'There is nothing at this path.');

const notAllowed = (allow: string): Problem =>
  new Problem(405, 'method_not_allowed', `This path answers ${allow}.`, { headers: { Allow: allow } });

/** Kept by browsers, which ask before they use it again. */
function file(request: Request, text: string, type: string): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed('GET, HEAD');
  const headers = {
    ETag: etagOf(text),
    'Cache-Control': 'no-cache',
    'Content-Type': type,
    // Pages of other origins load it.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  const known = request.headers.get('if-none-match');
  if (known !== null && namesTag(known, headers.ETag, 'weak')) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

/**
 * The page has an origin of its own, and so reads neither the browser's storage nor what the service sends to others. It runs its own script
 * and no other, and is framed by the admin alone.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src http: https: data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

function page(request: Request): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed('GET, HEAD');
  const language = languageOf({ request });
  const texts = pageTexts[language];
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${texts.title}</title>
<link rel="stylesheet" href="${ownPage}/page.css">
</head>
<body>
<p role="status">${texts.loading}</p>
<main data-texts="${escaped(JSON.stringify(texts))}"></main>
<script src="${ownPage}/page.js" defer></script>
</body>
</html>
`;
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept-Language',
    },
  });
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Longer than any token. */
const longestToken = 200;

/** The type and the record that a token shows. The token is the body, as plain text: so no request has to be asked for before. */
async function data({ records, previews }: PageParts, request: Request): Promise<Response> {
  if (request.method !== 'POST') throw notAllowed('POST');
  const bytes = await bodyBytes(request, { bytes: longestToken, milliseconds: 10_000 });
  const opened = await previews.open(new TextDecoder().decode(bytes).trim(), anonymous);
  const type = records.types.get(opened.type);
  const language = opened.language ?? records.types.languages.default.tag;
  const read = { ...opened, language, search: included(type) };
  const answer = await opened
    .read({ type: type.singular }, read.search, (own) => recordOf(own, read))
    .catch((error) => {
      // The editor sees what the form holds; everybody else nothing at all.
      if (!opened.isShared && !opened.isLater && error instanceof Problem && error.status < 500) return null;
      throw error instanceof Problem && error.status < 500 ? notFound() : error;
    });
  const body = {
    type: pageType(type, languageOf({ request })),
    language,
    record: answer === null ? null : (JSON.parse(String(answer.body)) as unknown),
  };
  return json(200, body, dataHeaders);
}

const dataHeaders = {
  // The page's own origin is none that could be named, and the token is all that is asked for.
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/** The page reads why it shows nothing. */
function refused(error: unknown): Response {
  if (error instanceof Problem && error.status < 500) return json(error.status, { code: error.code }, dataHeaders);
  throw error;
}

function recordOf(
  records: Records,
  {
    type: singular,
    record,
    caller,
    language,
    search,
  }: {
    readonly type: string;
    readonly record: string;
    readonly caller: Caller;
    readonly language: string;
    readonly search: string;
  },
): MaybePromise<Answer> {
  const { languages } = records.types;
  const found = languages.find(language);
  const own = records.inLanguage(found && readLanguage(languages, found, true, 'public'));
  const type = own.types.get(singular);
  return mapMaybe(
    own.get({ type, view: 'get', caller, id: type.kind === 'single' ? null : record, search }),
    (answer) => answer,
  );
}

/** Asks for the records that the fields lead to, so that they have names. */
function included(type: ContentType): string {
  if (type.endpoints.get.access === 'none') return '';
  const names = includableFields(type, endpointViews.get).map(({ name }) => name);
  return names.length === 0 ? '' : `include=${names.slice(0, 10).map(encodeURIComponent).join(',')}`;
}
