import type { ContentType, EndpointName, Field } from './content-type.ts';
import { perType } from './per-type.ts';
import type { ReadView } from './rights/read-view.ts';

/**
 * The fields that an answer contains: for the admin routes those that the caller's role reads, for a public endpoint those that are
 * not private and that its `fields` whitelist names (service specification, sections 4.4 and 5.2). Secret fields are in none.
 */
export const readableFields = (type: ContentType, view: ReadView): readonly Field[] =>
  view.audience === 'admin' ? view.rights.of(type).readable : publicFields(type)[view.endpoint];

const publicFields = perType((type): Readonly<Record<EndpointName, readonly Field[]>> => {
  const shown = (endpoint: EndpointName): readonly Field[] => {
    const whitelist = type.endpoints[endpoint].fields;
    return type.fields.filter(
      (field) => !field.type.secret && !field.private && (whitelist === null || whitelist.has(field.name)),
    );
  };
  return {
    list: shown('list'),
    get: shown('get'),
    create: shown('create'),
    update: shown('update'),
    delete: shown('delete'),
  };
});

/** Whether a view shows the private fields inside structured fields. */
export const readsPrivate = (view: ReadView): boolean => view.audience === 'admin' && view.rights.readsPrivateMembers;
