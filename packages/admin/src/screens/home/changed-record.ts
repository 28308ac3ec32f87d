import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import type { RectoClient } from '../../app/session.svelte.ts';

/** What the home page reads with. */
export interface Reading {
  readonly client: RectoClient;
  readonly types: readonly ContentTypeInfo[];
  readonly signal: AbortSignal;
}

/** A record that was changed, once, with its last change. */
export interface ChangedRecord {
  readonly type: ContentTypeInfo;
  readonly id: string;
  /** Undefined where it is gone, or has none. */
  readonly title: string | undefined;
  readonly isGone: boolean;
  readonly path: string;
  /** That of the event; `import` for all that an import wrote. */
  readonly action: string;
  readonly at: string;
  readonly actor: string | null;
}
