import type { ContentType, EndpointName, Field } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';

/** Whose eyes a record is told to: through the admin routes, or through one public endpoint with its whitelist and without private fields. */
export type ReadView = 'admin' | EndpointName;

/** The view through which an included record is told: as its own `get` endpoint would. */
export const includedView = (view: ReadView): ReadView => (view === 'admin' ? 'admin' : 'get');

/** The field of that name if this view tells it. An unreadable field is the same as none. */
export function readableField(type: ContentType, view: ReadView, name: string): Field | undefined {
  const field = type.field.get(name);
  return field !== undefined && readableFields(type, view).includes(field) ? field : undefined;
}
