import Type, { type TSchema } from 'typebox';
import type { ContentType } from '../../../definition/content-type.ts';
import { readableFields } from '../../../definition/readable-fields.ts';
import { type ViewName, viewNamed } from '../../../definition/rights/read-view.ts';
import { schemaName } from '../schema-name.ts';

/** `fields` with the names that a view shows. */
export function fieldsParameter(type: ContentType, view: ViewName): TSchema {
  const names = shownNames(type, view);
  const name = `${schemaName(type)}Fields`;
  const isUsual = view === 'get' || Bun.deepEquals(shownNames(type, 'get'), names);
  return selectionOf(names, isUsual ? name : `${name}_${view}`);
}

export const shownNames = (type: ContentType, view: ViewName): readonly string[] =>
  readableFields(type, viewNamed(view)).map(({ name }) => name);

/** A parameter that selects members of what is returned. `component`: its name, where several routes have it. */
export const selectionOf = (names: readonly string[], component?: string): TSchema =>
  Type.Array(Type.Unsafe({ type: 'string', enum: names }), {
    ...(component === undefined ? {} : { component }),
    description: 'The fields to return. `id` is always returned, and so is what `include` names.',
  });
