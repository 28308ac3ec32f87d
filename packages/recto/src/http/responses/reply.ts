/** The answer to a change as a plain value, which can be kept and sent once more. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export const responseOf = ({ status, headers, body }: Reply): Response => new Response(body, { status, headers });

/** A reply with a JSON body; `headers` come on top of the content type. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}
