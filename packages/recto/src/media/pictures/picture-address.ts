import type { MediaSigner } from '../media-signer.ts';
import type { StoredPicture } from './picture-store.ts';

type Named = Pick<StoredPicture, 'account' | 'hash'>;

/** What is signed: no id of a file begins so. With the hash, so that the address of a picture that was replaced leads nowhere. */
const signed = ({ account, hash }: Named): string => `picture ${account} ${hash}`;

const daySeconds = 24 * 60 * 60;

/** The address of a picture: for one to two days, and the same all day, so that browsers keep what it leads to. `now`: milliseconds since 1970. */
export function pictureAddress(signer: MediaSigner, picture: Named, now: number): string {
  const expires = (Math.floor(now / 1000 / daySeconds) + 2) * daySeconds;
  const { signature } = signer.sign(signed(picture), expires);
  return `/api/v1/users/${picture.account}/picture?expires=${expires}&signature=${signature}`;
}

/** Whether an address with these parameters was made for the picture, and has not expired. */
export const acceptsPicture = (
  signer: MediaSigner,
  picture: Named,
  { expires, signature }: { readonly expires: number; readonly signature: string },
  now: number,
): boolean => signer.accepts(signed(picture), { expires, signature }, now);
