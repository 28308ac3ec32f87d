/** The ETags of what was read, by address; as many as are likely to be edited at a time. */
export function createTags() {
  const tags = new Map<string, string>();
  return {
    get: (address: string): string | undefined => tags.get(address),
    /** Without a tag in the headers, and without headers, the address has none any more. */
    keep(address: string, headers?: Headers): void {
      // What a proxy compresses, it marks as weak. `If-Match` takes the service's own tag.
      const tag = headers?.get('etag')?.replace(/^W\//, '');
      tags.delete(address);
      if (tag) tags.set(address, tag);
      const [oldest] = tags.keys();
      // Of more than none, there is a first.
      if (tags.size > 500) tags.delete(oldest as string);
    },
  };
}

export type Tags = ReturnType<typeof createTags>;
