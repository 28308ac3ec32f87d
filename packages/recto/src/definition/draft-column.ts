import type { ActiveProtocol } from './protocol.ts';

/** The column with the drafts of records of a type with these protocols; undefined: there are none. */
export const draftColumnOf = (protocols: readonly ActiveProtocol[]): string | undefined =>
  protocols.map(({ protocol, options }) => protocol.draftColumn?.(options)).find((column) => column !== undefined);
