import type { ContentType, EndpointName, Field } from './content-type.ts';

/**
 * The fields that an answer contains: for the admin routes all but secret ones, for a public endpoint those that are not
 * private either and that its `fields` whitelist names (service specification, sections 4.4 and 5.2).
 */
export function readableFields(type: ContentType, view: 'admin' | EndpointName): readonly Field[] {
  const whitelist = view === 'admin' ? null : type.endpoints[view].fields;
  return type.fields.filter(
    (field) =>
      !field.type.secret && (view === 'admin' || (!field.private && (whitelist === null || whitelist.has(field.name)))),
  );
}
