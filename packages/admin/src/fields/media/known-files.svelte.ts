import { SvelteMap } from 'svelte/reactivity';
import { whenForgotten } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { type FileValue, fileValue } from './file-value.ts';

const known = new SvelteMap<string, FileValue>();
const asked = new Set<string>();
whenForgotten(() => {
  known.clear();
  asked.clear();
});

/** A file as it is known now: what was changed here since the record was loaded counts. Reactive. */
export function knownFile(file: FileValue): FileValue {
  return known.get(file.id) ?? file;
}

export function rememberFile(file: FileValue): void {
  known.set(file.id, file);
}

/** Loads what is known by its id alone. */
export async function requestFile({ id, name }: FileValue): Promise<void> {
  if (name !== null || known.has(id) || asked.has(id)) return;
  asked.add(id);
  const record = await session.client.admin
    .collection('media')
    .get(id)
    .catch(() => undefined);
  const file = record === undefined ? undefined : fileValue(record);
  if (file === undefined) asked.delete(id);
  else rememberFile(file);
}

/** Changes the file's own record; every place that shows the file follows. */
export async function changeFile(id: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const record = await session.client.admin.collection('media').update(id, changes, { if_match: false });
  const file = fileValue(record);
  if (file !== undefined) rememberFile(file);
}
