import { type Reader, recordReader } from './collection.ts';
import type { AnyContent, CamelCase, NamesOf, UntypedContent } from './content.ts';
import type { Single } from './create-client.ts';
import { byName, collectionPath, kebabCase } from './names.ts';
import { createTransport, fixedToken, type TransportOptions } from './transport.ts';

export type ContentReader<C> = {
  readonly [N in NamesOf<C, 'collection'> as N | CamelCase<N>]: Reader<C, N, 'list', 'get'>;
} & { readonly [N in NamesOf<C, 'single'> as N | CamelCase<N>]: Pick<Single<C, N>, 'get'> };

/** A client that only reads what is public, or what an API token may read: less code for pages that do no more. */
export function createReader<C extends { [N in keyof C]: AnyContent[string] } = UntypedContent>(
  options: TransportOptions & { readonly token?: string },
): ContentReader<C> {
  const { token } = options;
  const send = createTransport(options, token ? fixedToken(token) : undefined);
  // A reader for each name, as the type says.
  return byName((name) => recordReader(send, collectionPath(kebabCase(name)))) as ContentReader<C>;
}
