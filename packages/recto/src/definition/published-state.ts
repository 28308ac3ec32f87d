import type { ActiveProtocol, PublishedState } from './protocol.ts';

/** The state of published records of a type with these protocols; undefined: there is none. */
export function publishedStateOf(protocols: readonly ActiveProtocol[]): PublishedState | undefined {
  for (const { protocol, options } of protocols) {
    const state = protocol.publishedState?.(options);
    if (state !== undefined) return state;
  }
  return undefined;
}
