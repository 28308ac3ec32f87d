import { noteOwnChange } from '../../../api/own-changes.ts';
import { tagOf } from '../../../api/tag-of.ts';
import { session } from '../../../app/session.svelte.ts';
import { sameValue } from '../../../editing/same-value.ts';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { adminPath } from '../data/list-requests.ts';

/** One value of a record, as a list shows it. */
export interface CellPlace {
  readonly type: ListedType;
  readonly record: ListRecord;
  readonly name: string;
  /** The language that the list is in; empty: the default one. */
  readonly language: string;
}

interface Stored {
  readonly record: Readonly<Record<string, unknown>>;
  readonly tag: string | null;
}

export type CellOutcome =
  | { readonly kind: 'saved'; readonly undo: () => Promise<void> }
  /** Somebody has changed the value since the list was loaded. */
  | { readonly kind: 'conflict'; readonly theirs: unknown };

/**
 * Sets one value, if the record still has the one that the list shows, and if nobody changes the record meanwhile (`If-Match`).
 * `over`: what somebody else has set and this replaces.
 */
export async function saveCell(
  place: CellPlace,
  value: unknown,
  over?: { readonly theirs: unknown },
): Promise<CellOutcome> {
  const stored = await send('GET', place);
  const current = stored.record[place.name] ?? null;
  const known = over === undefined ? (place.record[place.name] ?? null) : over.theirs;
  if (!sameValue(current, known)) return { kind: 'conflict', theirs: current };
  const saved = await send('PUT', place, { stored, value });
  return { kind: 'saved', undo: async () => void (await send('PUT', place, { stored: saved, value: current })) };
}

async function send(
  method: 'GET' | 'PUT',
  { type, record, name, language }: CellPlace,
  change?: { readonly stored: Stored; readonly value: unknown },
): Promise<Stored> {
  if (change !== undefined) noteOwnChange(type.plural, [record.id]);
  const version = change?.stored.record.lock_version;
  const options = {
    query: language === '' ? {} : { language },
    ...(change === undefined
      ? {}
      : {
          body: { [name]: change.value, ...(version === undefined ? {} : { lock_version: version }) },
          headers: { 'If-Match': change.stored.tag ?? undefined },
        }),
  };
  return session.client.request(method, `${adminPath(type)}/${record.id}`, options, async (response: Response) => ({
    // The routes return a record.
    record: (await response.json()) as Stored['record'],
    tag: tagOf(response),
  }));
}
