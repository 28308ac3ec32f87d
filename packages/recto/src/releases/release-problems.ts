import { type FieldFault, mostErrors, Problem } from '../base/problem.ts';
import type { ReleaseItem, ReleaseProblem } from './release.ts';

/** A problem of a whole release. */
export const ofRelease = (code: string, message: string): ReleaseProblem => ({
  ...{ item: null, type: null, record: null, field: '' },
  ...{ code, message },
});

/** What speaks against an item, of what its change was refused with. */
export function problemsOf({ id, type, record }: ReleaseItem, error: Problem): readonly ReleaseProblem[] {
  const of = { item: id, type, record };
  if (error.status === 404)
    return [{ ...of, field: '', code: 'not_found', message: 'The record is gone, or not there for you.' }];
  return (
    error.errors?.map(({ field, code, message }) => ({ ...of, field, code, message })) ?? [
      { ...of, field: '', code: error.code, message: error.message },
    ]
  );
}

/** Whether an item may go through once others of its release have: a value was taken, a record was needed, or not there yet. */
export function mayPassLater({ status, code, errors }: Problem): boolean {
  if (code === 'record_in_use') return true;
  return status === 422 && errors !== undefined && errors.every((error) => passing.has(error.code));
}

const passing: ReadonlySet<string> = new Set(['taken', 'unknown_record']);

/** Nothing was published: 422 with every problem, 409 where there are only records that somebody has changed since. */
export function notPublished(problems: readonly ReleaseProblem[], items: readonly ReleaseItem[]): Problem {
  const places = new Map(items.map(({ id }, place) => [id, place]));
  const errors = problems.slice(0, mostErrors).map(({ item, field, code, message }): FieldFault => {
    const place = item === null ? undefined : places.get(item);
    const at = place === undefined ? 'items' : `items[${place}]`;
    return { field: field === '' ? at : `${at}.${field}`, code, message };
  });
  const isConflict = problems.every(({ code }) => code === 'draft_conflict');
  const [status, code] = isConflict ? ([409, 'draft_conflict'] as const) : ([422, 'release_not_ready'] as const);
  const detail = isConflict
    ? 'Records have been changed since they were added to this release. Nothing was published.'
    : `${problems.length === 1 ? 'One problem speaks' : `${problems.length} problems speak`} against publishing. Nothing was published.`;
  return new Problem(status, code, detail, { errors, members: { problems } });
}
