import type { ContentType, EndpointName, Field } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';

/** How a record is shown: by the admin routes, or by one public endpoint, with its whitelist and without private fields. */
export type ReadView = 'admin' | EndpointName;

/** The view of an included record: that of its own `get` endpoint. */
export const includedView = (view: ReadView): ReadView => (view === 'admin' ? 'admin' : 'get');

/** The field of that name if this view shows it. An unreadable field is the same as none. */
export function readableField(type: ContentType, view: ReadView, name: string): Field | undefined {
  const field = type.field.get(name);
  return field !== undefined && readableFields(type, view).includes(field) ? field : undefined;
}
