import type { ContentType, Field } from './content-type.ts';
import { uidField } from './fields/uid-field.ts';
import { perType } from './per-type.ts';
import { readableFields } from './readable-fields.ts';
import { endpointViews } from './rights/read-view.ts';

/** The field whose values are in the addresses of a type's records: its `slug`, or the only `uid` that it has. Undefined: none. */
export const slugFieldOf: (type: ContentType) => Field | undefined = perType((type) => {
  if (type.kind === 'single' || type.shownWith !== undefined) return undefined;
  const slugs = type.fields.filter((field) => field.type === uidField && !field.private);
  return slugs.find(({ name }) => name === 'slug') ?? (slugs.length === 1 ? slugs[0] : undefined);
});

/** Whether `get` returns the slug, so that a record may be found by it. */
export const isFoundBySlug = (type: ContentType): boolean => {
  const slug = slugFieldOf(type);
  return slug !== undefined && readableFields(type, endpointViews.get).includes(slug);
};

/** The names of the fields on which it depends whether `get` shows a record, and by which slug. */
export const slugReads: (type: ContentType) => ReadonlySet<string> = perType((type) => {
  const slug = slugFieldOf(type);
  const { filter } = type.endpoints.get;
  const rules = [...type.visible.map(({ rule }) => rule), filter].filter((rule) => rule !== null);
  return new Set(slug === undefined ? [] : [slug.name, ...rules.flatMap(({ reads }) => [...reads.fields])]);
});
