import { knownRecord, requestRecords } from '../../fields/records/record-titles.svelte.ts';
import { targetType } from '../../fields/records/target-type.ts';

/** The title of a post; undefined while it is not known. Reactive. */
export function postTitle(id: string | null): string | undefined {
  const target = targetType('post');
  return target === undefined || id === null ? undefined : knownRecord(target, id)?.title;
}

/** Loads the titles of these posts, each once. */
export function requestPostTitles(ids: readonly (string | null)[]): void {
  const target = targetType('post');
  if (target !== undefined) requestRecords(target, [...new Set(ids.filter((id) => id !== null))]);
}
