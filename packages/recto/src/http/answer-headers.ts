/** Headers to answer with, again and again: what every answer has is in them already but for the request's id. */
export function answerHeaders(own: Readonly<Record<string, string>>): Headers {
  return new Headers({ ...own, 'X-Content-Type-Options': 'nosniff' });
}

/** Writes what every answer has into its headers. */
export function completeHeaders(headers: Headers, requestId: string): void {
  headers.set(requestIdHeader, requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
}

export const requestIdHeader = 'X-Request-Id';
