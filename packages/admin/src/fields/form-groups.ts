import { readerText } from '../api/reader-text.ts';
import type { FieldInfo, FormType } from './field.ts';
import { formFields, titleField } from './form-fields.ts';

/** A part of a form, with its fields. */
export interface FormGroup {
  /** Undefined: the fields that no group of the definition has. */
  readonly label: string | undefined;
  readonly column: 'main' | 'side';
  readonly fields: readonly FieldInfo[];
}

/** Which fields of a form are marked: those that must be filled, or the others where most must be. */
export function fieldMarks(fields: readonly FieldInfo[]): 'required' | 'optional' {
  const asked = fields.filter(isAsked);
  return asked.filter(({ mustBeFilled }) => mustBeFilled).length * 2 > asked.length ? 'optional' : 'required';
}

/** Somebody may fill it or leave it empty: a checkbox always says something. */
export const isAsked = ({ writable, type, name }: FieldInfo): boolean => writable && type !== 'boolean' && name !== '';

/** The parts of a form: first the title, then what stands in no group, then the groups of the definition. */
export function formGroups(type: FormType): readonly FormGroup[] {
  const fields = formFields(type);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const hints = type.definition.admin?.groups ?? [];
  const placed = new Set(hints.flatMap((group) => group.fields));
  const title = titleField(type);
  // One that the definition puts at the side stays there.
  const isAtSide = hints.some(({ column, fields: names }) => column === 'side' && names.includes(title ?? ''));
  const first = title === undefined || isAtSide ? undefined : byName.get(title);
  const groups: readonly FormGroup[] = [
    {
      label: undefined,
      column: 'main',
      fields: titleFirst(
        fields.filter(({ name }) => !placed.has(name)),
        first,
      ),
    },
    ...hints.map(({ label, column = 'main', fields: names }) => ({
      label: readerText(label),
      column,
      fields: names.filter((name) => name !== first?.name).flatMap((name) => byName.get(name) ?? []),
    })),
  ];
  return groups.filter(({ fields: some }) => some.length > 0);
}

/** With the title at the top, wherever else it stood. */
function titleFirst(fields: readonly FieldInfo[], title: FieldInfo | undefined): readonly FieldInfo[] {
  return title === undefined ? fields : [title, ...fields.filter((field) => field !== title)];
}
