import type { ContentTypes } from '../definition/content-type.ts';
import { ownTypes } from '../features/own-types.ts';
import { typeAddress } from '../http/type-address.ts';

/** What a start prints of its content types: data, which a worker can send to its supervisor. */
export interface ListedTypes {
  /** The types that the user's files define or extend. */
  readonly own: readonly { readonly plural: string; readonly address: string }[];
  /** The addresses of the types that ship with the product. */
  readonly builtIn: readonly string[];
}

export const listedTypes = ({ all }: ContentTypes): ListedTypes => ({
  own: ownTypes(all).map((type) => ({ plural: type.plural, address: typeAddress(type) })),
  builtIn: all.filter(({ builtIn }) => builtIn).map(typeAddress),
});
