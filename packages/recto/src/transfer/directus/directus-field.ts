import { oneLine } from '../../base/printable.ts';
import type { Table } from '../../values/json-table.ts';
import type { Evidence } from './directus-evidence.ts';
import { type DirectusField, tableOf, textOf } from './directus-schema.ts';

/** What a field becomes; a sentence why there is none; null: it holds nothing. */
export type PlannedField = { readonly definition: Table; readonly lost?: string } | string | null;

/** What a relation leads to here; undefined: to nothing that is brought in. */
export type TargetOf = (field: string) => string | undefined;

/** A field here that holds the values of one with a column of its own. */
export function plannedField(field: DirectusField, evidence: Evidence | undefined, target: TargetOf): PlannedField {
  const planned = byType(field, evidence, target);
  if (planned === null || typeof planned === 'string') return planned;
  const isLink = planned.definition.relation !== undefined || planned.definition.field_type === 'media';
  const isEmpty = isLink || evidence?.hasEmpty(field.name) === true;
  const why = isLink ? 'What it leads to can be missing from the export' : 'Some records have no value';
  const lost = field.isRequired && isEmpty ? `${why}, so it is not required.` : planned.lost;
  return {
    definition: {
      ...planned.definition,
      ...(field.isRequired && !isEmpty ? { required: true } : {}),
      ...(field.isUnique && planned.definition.relation === undefined ? { unique: true } : {}),
      ...(field.note === undefined ? {} : { help: oneLine(field.note) }),
    },
    ...(lost === undefined ? {} : { lost }),
  };
}

const hidden = ['hash', 'conceal'];

function byType(field: DirectusField, evidence: Evidence | undefined, target: TargetOf): PlannedField {
  const { special, type, name } = field;
  if (special.some((each) => hidden.includes(each)) || type === 'hash')
    return 'Its values are secret, and not in what Directus exports.';
  const related = target(name);
  if (related === 'media') return { definition: { field_type: 'media' } };
  if (related !== undefined)
    return {
      definition: { field_type: 'relation', relation: { relation_type: 'many_to_one', target: related } },
    };
  switch (type) {
    case 'string':
    case 'text':
    case 'uuid':
      return text(field, evidence);
    case 'boolean':
      return { definition: { field_type: 'boolean' } };
    case 'integer':
      return { definition: { field_type: 'integer' } };
    case 'bigInteger':
      return { definition: { field_type: 'bigint' } };
    case 'float':
      return { definition: { field_type: 'float' } };
    case 'decimal':
      return { definition: { field_type: 'decimal' } };
    case 'date':
      return { definition: { field_type: 'date' } };
    case 'time':
      return { definition: { field_type: 'time' } };
    case 'dateTime':
      return { definition: { field_type: 'datetime' }, lost: 'Its times have no zone: they are read as UTC.' };
    case 'timestamp':
      return { definition: { field_type: 'datetime' } };
    case 'csv':
      return { definition: { field_type: 'list', item: { field_type: 'text' }, max_items: 10_000 } };
    case 'json':
      return { definition: { field_type: 'json' } };
    case 'alias':
      return null;
    default:
      return type.startsWith('geometry')
        ? { definition: { field_type: 'json' } }
        : `There is no field for values of ${JSON.stringify(type)}.`;
  }
}

function text(field: DirectusField, evidence: Evidence | undefined): PlannedField {
  const { interface: control, maxLength, isUnique } = field;
  if (/html|wysiwyg/.test(control)) return { definition: { field_type: 'richtext' } };
  if (/-md$|markdown/.test(control)) return { definition: { field_type: 'richtext', format: 'markdown' } };
  const choices = choicesOf(field);
  const others = [...(evidence?.values(field.name) ?? [])].filter((value) => !choices.has(value));
  if (choices.size > 0 && field.options.allowOther !== true && others.length === 0) return enumOf(choices);
  const lost =
    choices.size > 0 && others.length > 0
      ? `Some records have other values than its choices, such as ${JSON.stringify(others[0])}.`
      : undefined;
  const bound = maxLength ?? (isUnique ? 500 : undefined);
  return {
    definition: { field_type: 'text', ...(bound === undefined ? {} : { max_length: bound }) },
    ...(lost === undefined ? {} : { lost }),
  };
}

function enumOf(choices: ReadonlyMap<string, string>): PlannedField {
  const labels = [...choices].filter(([value, label]) => label !== value && label !== '' && !label.startsWith('$t:'));
  return {
    definition: {
      ...{ field_type: 'enum', enum_values: [...choices.keys()] },
      ...(labels.length === 0 ? {} : { value_labels: Object.fromEntries(labels) }),
    },
  };
}

/** The choices of a field, with what people see. */
export function choicesOf({ options }: DirectusField): ReadonlyMap<string, string> {
  const choices = Array.isArray(options.choices) ? options.choices : [];
  return new Map(
    choices.flatMap((choice): readonly (readonly [string, string])[] => {
      const { value, text } = tableOf(choice);
      return typeof value === 'string' && value !== '' ? [[value, textOf(text) ?? '']] : [];
    }),
  );
}
