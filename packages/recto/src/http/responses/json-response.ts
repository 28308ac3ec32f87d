/** An answer with a JSON body; `headers` come on top of the content type. */
export function json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
  });
}

// RFC 8259, section 8.1: JSON is UTF-8, and its media type has no charset parameter.
const jsonHeaders = { 'Content-Type': 'application/json' };
