import type { Json } from './definition.ts';

/** A part of a form while its type is edited: a group of `[admin]`. */
export interface DraftGroup extends Json {
  readonly fields?: readonly string[];
}

export const groupsOf = (admin: Json | undefined): readonly DraftGroup[] =>
  Array.isArray(admin?.groups) ? admin.groups : [];

/** The groups with a field in one of them, or in none: it stands in one place of the form. */
export const withFieldIn = (
  groups: readonly DraftGroup[],
  index: number,
  name: string,
  isIn: boolean,
): readonly DraftGroup[] =>
  groups.map((group, at) => {
    const { fields = [] } = group;
    if (at === index && isIn) return fields.includes(name) ? group : { ...group, fields: [...fields, name] };
    return fields.includes(name) ? { ...group, fields: fields.filter((field) => field !== name) } : group;
  });
