/** The tag of a response, for `If-Match`. Proxies mark those of what they compress as weak; the service's own never are. */
export const tagOf = ({ headers }: Response): string | null => headers.get('etag')?.replace(/^W\//, '') ?? null;
