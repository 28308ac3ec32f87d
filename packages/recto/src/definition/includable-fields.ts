import type { ContentType, Field } from './content-type.ts';
import { readableFields } from './readable-fields.ts';
import type { ReadView } from './rights/read-view.ts';
import { targetOf } from './stored-field.ts';

/** What `include` can name: a relation, or an id by the name under which its record is added. */
export interface IncludableField {
  readonly name: string;
  readonly field: Field;
  /** A content type's singular name. */
  readonly target: string;
}

/** What `include` can name of a view. A field of the type goes before an added record of its name. */
export function includableFields(type: ContentType, view: ReadView): readonly IncludableField[] {
  return readableFields(type, view).flatMap((field): IncludableField[] => {
    const { name, includedAs } = field;
    const target = targetOf(field);
    if (target !== undefined) return [{ name, field, target }];
    return includedAs === undefined || type.field.has(includedAs.name) ? [] : [{ ...includedAs, field }];
  });
}
