import type { ContentType } from '../definition/content-type.ts';
import { builtInTypes } from './index.ts';

const shippedFiles: ReadonlySet<string> = new Set(builtInTypes.map(({ file }) => file));

/** The types that the user's files define or extend. */
export const ownTypes = (types: readonly ContentType[]): readonly ContentType[] =>
  types.filter(({ source }) => !shippedFiles.has(source));
