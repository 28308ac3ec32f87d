/** Headers to answer with, again and again: what every answer has is in them already but for the request's id. */
export function answerHeaders(own: Readonly<Record<string, string>>): Headers {
  return withVary(new Headers({ ...own, 'X-Content-Type-Options': 'nosniff' }));
}

/** Writes what every answer has into its headers. */
export function completeHeaders(headers: Headers, requestId: string): void {
  headers.set(requestIdHeader, requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
  withVary(headers);
}

/** What answers to previews have: nothing keeps them, and no search engine lists them. */
export function previewHeaders(headers: Headers): void {
  headers.set('Cache-Control', 'no-store');
  headers.set('X-Robots-Tag', 'noindex');
  headers.delete('Cache-Status');
  addVary(headers, 'Recto-Preview');
}

export const requestIdHeader = 'X-Request-Id';

/** On every answer: a bad token or an invalid tenant is rejected on every route. */
function withVary(headers: Headers): Headers {
  addVary(headers, 'Authorization');
  addVary(headers, 'Recto-Tenant');
  return headers;
}

/** Says that the answer depends on a request header (RFC 9110, section 12.5.5), in addition to those listed already. */
export function addVary(headers: Headers, name: string): void {
  const known = headers.get('vary');
  const names = known === null ? [] : known.split(',').map((each) => each.trim().toLowerCase());
  if (names.includes('*') || names.includes(name.toLowerCase())) return;
  headers.set('Vary', known === null ? name : `${known}, ${name}`);
}
