import type { ContentType } from './content-type.ts';
import type { ActiveProtocol, PublishedState } from './protocol.ts';

/** The state of published records of a type with these protocols; undefined: there is none. */
export function publishedStateOf(protocols: readonly ActiveProtocol[]): PublishedState | undefined {
  for (const { protocol, options } of protocols) {
    const state = protocol.publishedState?.(options);
    if (state !== undefined) return state;
  }
  return undefined;
}

/** The state of a type of which each language has one; undefined: languages share it, or there is none. */
export function publishedInLanguage({
  protocols,
  field,
}: Pick<ContentType, 'protocols' | 'field'>): PublishedState | undefined {
  const state = publishedStateOf(protocols);
  return state !== undefined && field.get(state.column)?.localized === true ? state : undefined;
}
