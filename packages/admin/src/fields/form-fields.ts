import { fieldLabel } from '../api/field-label.ts';
import { readableName } from '../api/readable-name.ts';
import { readerText } from '../api/reader-text.ts';
import { languageCode } from '../text/text.ts';
import type { BlockInfo, FieldFacts, FieldInfo, FormType, WrittenBlock, WrittenField } from './field.ts';

/** Protocol fields that the editor has other controls for, or that the service keeps by itself. */
const keptElsewhere: ReadonlySet<string> = new Set(['status', 'scheduled_at', 'tenant_id', 'assignee', 'due_at']);

const isMany = ({ relation, multiple }: Partial<WrittenField>): boolean =>
  multiple === true || relation?.relation_type.endsWith('_to_many') === true;

function writtenField(written: WrittenField): FieldInfo {
  const { name, field_type, label, help, placeholder, description, relation, target_field } = written;
  const required = written.required === true;
  return {
    name,
    type: field_type,
    label: readerText(label) ?? readableName(name),
    help: readerText(help) ?? description,
    placeholder: readerText(placeholder),
    required,
    mustBeFilled: required && written.default === undefined && target_field === undefined,
    private: written.private === true,
    immutable: written.immutable === true,
    writable: relation?.relation_type !== 'one_to_many',
    options: written,
    target: relation?.target,
    many: isMany(written),
    fields: (written.fields ?? []).map(writtenField),
    item: written.item === undefined ? undefined : writtenField({ ...written.item, name: '' }),
    blocks: (written.blocks ?? []).map(writtenBlock),
  };
}

const writtenBlock = ({ name, label, description, image, fields = [] }: WrittenBlock): BlockInfo => ({
  name,
  label: readerText(label) ?? readableName(name),
  description,
  image,
  fields: fields.map(writtenField),
});

function protocolField({ name, field_type, target, ...facts }: FieldFacts, label: string): FieldInfo {
  const { required, must_be_sent: mustBeFilled, immutable, writable, many } = facts;
  const shared = {
    name,
    required,
    mustBeFilled,
    immutable,
    writable,
    many,
    help: undefined,
    placeholder: undefined,
    options: {},
  };
  return {
    ...shared,
    private: facts.private,
    type: field_type,
    label,
    target: target ?? undefined,
    fields: [],
    item: undefined,
    blocks: [],
  };
}

const found = new WeakMap<FormType, { readonly language: string; readonly fields: readonly FieldInfo[] }>();

/**
 * The fields that a form of this type shows, in the order of the definition, those of protocols last. Found once for each type and
 * language: an editor asks for them in many places, and a type may have a thousand.
 */
export function formFields(type: FormType): readonly FieldInfo[] {
  const language = languageCode();
  const known = found.get(type);
  if (known?.language === language) return known.fields;
  const fields = findFields(type);
  found.set(type, { language, fields });
  return fields;
}

function findFields(type: FormType): readonly FieldInfo[] {
  const title = titleField(type);
  const written = new Map((type.definition.fields ?? []).map((field) => [field.name, field]));
  return type.fields.flatMap((facts) => {
    const own = written.get(facts.name);
    if (own !== undefined) {
      const field = writtenField({
        ...(own.name === title ? { widget: 'line' } : {}),
        ...own,
        label: fieldLabel(type, own),
      });
      return [
        {
          ...field,
          mustBeFilled: facts.must_be_sent || facts.show_if?.required === true,
          writable: facts.writable,
          target: facts.target ?? field.target,
          many: field.many || facts.many,
        },
      ];
    }
    const shown = facts.origin === 'protocol' && facts.writable && !keptElsewhere.has(facts.name);
    return shown ? [protocolField(facts, fieldLabel(type, facts))] : [];
  });
}

/** The field that names a record: the hint of the definition, else its first text. */
export function titleField(type: FormType): string | undefined {
  const hint = type.definition.admin?.title_field;
  if (hint !== undefined) return hint;
  const texts = (type.definition.fields ?? []).filter(({ field_type }) => field_type === 'text');
  return (texts.find(({ required }) => required) ?? texts[0])?.name;
}
