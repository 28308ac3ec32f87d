/** The id of a request: the caller's own `X-Request-Id` where it is a plain word of at most 64 characters, else a new one. */
export function requestId(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && acceptable.test(sent) ? sent : newRequestId();
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

// Unique, not secret: a random part for the process and a number for the request cost a fraction of a UUID for each.
const processPart = crypto.randomUUID().slice(-12);
let count = 0;

const newRequestId = (): string => `${processPart}-${(++count).toString(36)}`;
