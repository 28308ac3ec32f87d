import { session } from '../app/session.svelte.ts';

/** A record whose texts link to another. */
export interface LinkingRecord {
  /** The singular name of its type. */
  readonly type: string;
  readonly id: string;
  readonly places: readonly string[];
}

/** A link that leads nowhere. */
export interface DeadLink {
  /** The singular name of the type of the record that has it. */
  readonly type: string;
  readonly id: string;
  readonly place: string;
  /** The language of the text; null: the default one. */
  readonly language: string | null;
  /** Whether it stands in the draft of a published record. */
  readonly draft: boolean;
  readonly href: string;
  /** The record that it names, as `plural/id`. */
  readonly record: string | null;
  readonly reason: 'no_record' | 'hidden';
}

interface DeadLinks {
  readonly items: readonly DeadLink[];
  readonly next: string | null;
}

/** The records whose texts link to a record. */
export async function linksTo(plural: string, id: string, signal: AbortSignal): Promise<readonly LinkingRecord[]> {
  const path = `/admin/links/${encodeURIComponent(plural)}/${encodeURIComponent(id)}`;
  const answer: { readonly items: readonly LinkingRecord[] } = await session.client.request('GET', path, { signal });
  return answer.items;
}

/** A part of the report, from where the part before ended. */
export function deadLinks(after: string | null, signal: AbortSignal): Promise<DeadLinks> {
  const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
  return session.client.request('GET', `/admin/links/dead${query}`, { signal });
}
