import type { FileValue } from '../../media/file-value.ts';

/** A text whose pictures of other sites are fetched, however it is edited. */
export interface PictureText {
  /** It is no longer edited. */
  readonly isGone: boolean;
  /** Waits while an input method composes: a change would break off what is typed. */
  composed(): Promise<void>;
  /** Puts files of the library in the place of the pictures with these sources, in one step. */
  place(files: ReadonlyMap<string, FileValue>): void;
  focus(): void;
}

/** A picture of another site, which the page does not load. */
export interface FarPicture {
  /** As the text has it. */
  readonly source: string;
  /** From where it is fetched. */
  readonly address: string;
  readonly alt: string;
}

/** Where a picture of another site is; undefined: it is shown. */
export function farAddress(source: string): string | undefined {
  const url = URL.parse(source, location.href);
  if (url === null || url.origin === location.origin) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Whether it is worth while to look for pictures of other sites in the source of a text. */
export const mayNameFarPictures = (source: string): boolean => /!\[|<img/i.test(source) && source.includes('//');

/** Each source once, in the order of the text. */
export const distinctPictures = (all: readonly FarPicture[]): readonly FarPicture[] =>
  [...new Map(all.toReversed().map((one) => [one.source, one])).values()].toReversed();

/** Waits until an input method has composed what it is composing in a part of the page. */
export async function endOfComposition(part: EventTarget, isComposing: boolean): Promise<void> {
  if (!isComposing) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  part.addEventListener('compositionend', () => resolve(), { once: true });
  await promise;
}
