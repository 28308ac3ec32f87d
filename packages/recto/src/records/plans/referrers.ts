import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { isFileField } from '../../definition/field-type.ts';
import { perType } from '../../definition/per-type.ts';
import { linkingFields } from '../../definition/structure/inner-links.ts';
import { innerFields } from '../../definition/structure/structure-items.ts';

/** A stored reference to the records of a type. */
export interface Referrer {
  readonly owner: ContentType;
  readonly field: Field;
}

/** The relations of a type that its own table or junction tables store. */
const storedRelations = perType(({ fields }): readonly Field[] =>
  fields.filter(({ place }) => place.shape === 'to_one' || place.shape === 'to_many'),
);

const knownReferrers = new WeakMap<ContentTypes, (type: ContentType) => readonly Referrer[]>();

/** The fields of all types whose stored references to a type change when a record of it goes. */
export function referrers(types: ContentTypes, type: ContentType): readonly Referrer[] {
  const known = knownReferrers.get(types) ?? perType((target) => findReferrers(types, target));
  knownReferrers.set(types, known);
  return known(type);
}

const findReferrers = (types: ContentTypes, { singular }: ContentType): readonly Referrer[] =>
  types.all.flatMap((owner) =>
    storedRelations(owner)
      .filter(({ place }) => (place.shape === 'to_one' || place.shape === 'to_many') && place.target === singular)
      .map((field) => ({ owner, field })),
  );

/** A relation inside a structured field that leads to a type. */
export interface InnerReferrer {
  readonly owner: ContentType;
  readonly field: Field;
  /** The relation inside the field, by names. */
  readonly path: string;
  readonly isFile: boolean;
}

const knownInner = new WeakMap<ContentTypes, ReadonlyMap<string, readonly InnerReferrer[]>>();

/** The relations inside structured fields of all types that lead to a type. */
export function innerReferrers(types: ContentTypes, { singular }: ContentType): readonly InnerReferrer[] {
  const found = knownInner.get(types) ?? findInner(types);
  knownInner.set(types, found);
  return found.get(singular) ?? [];
}

function findInner(types: ContentTypes): ReadonlyMap<string, readonly InnerReferrer[]> {
  const all = types.all.flatMap((owner) =>
    linkingFields(owner).flatMap((field) =>
      innerFields(field).flatMap(({ path, field: inner }) =>
        inner.place.shape === 'to_one'
          ? [{ target: inner.place.target, referrer: { owner, field, path, isFile: isFileField(inner) } }]
          : [],
      ),
    ),
  );
  const byTarget = Map.groupBy(all, ({ target }) => target);
  return new Map([...byTarget].map(([target, some]) => [target, some.map(({ referrer }) => referrer)]));
}
