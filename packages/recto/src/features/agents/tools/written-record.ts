import { type FieldFault, invalid } from '../../../base/problem.ts';
import type { ContentType } from '../../../definition/content-type.ts';
import type { Drafts } from '../../../records/drafts/draft.ts';
import type { RouteAnswer } from '../agent-requests.ts';

/** Throws 422 for values that publish a record or change when it is published: that is `publish` alone. */
export function rejectStatus(values: Readonly<Record<string, unknown>>, { published: { column } }: Drafts): void {
  const errors = [column, 'scheduled_at', 'published_at']
    .filter((name) => name in values)
    .map((field): FieldFault => ({ field, code: 'not_in_draft', message: 'The tool "publish" sets this.' }));
  if (errors.length > 0) throw invalid(errors);
}

/**
 * What an agent learns of a record that it has written, whose values it knows. A type with routes of its own answers a creation as it does
 * everyone's: its tag is not that of the admin routes, so the record is read before it is changed.
 */
export const writtenRecord = (
  { json, etag }: RouteAnswer,
  { ownRoutes }: ContentType,
  { published: { column } }: Drafts,
  action: 'create' | 'change',
) => ({ id: json.id, ...(ownRoutes === true && action === 'create' ? {} : { etag }), status: json[column] });
