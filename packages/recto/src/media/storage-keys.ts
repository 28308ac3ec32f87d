import { newId } from '../base/ids.ts';

/** Of the bytes of files. */
export const filesPrefix = 'files/';
/** Of what is made of images. */
export const variantsPrefix = 'variants/';
/** Of the pieces of uploads that can be resumed. */
export const piecesPrefix = 'uploads/';

/** A key that no file has or had. Spread over folders by its last letters, which are random. */
export function newFileKey(): string {
  const id = newId();
  return `${filesPrefix}${id.slice(-2)}/${id}`;
}

export const newPieceKey = (upload: string): string => `${piecesPrefix}${upload}/${newId()}`;

/** What the keys of a file's variants begin with. */
export const variantsOf = (fileKey: string): string => `${variantsPrefix}${fileKey.slice(filesPrefix.length)}/`;
