import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { tableOf, tablesOf } from './contentful-source.ts';

/** How the values of a field are read. */
export type FieldKind =
  | 'text'
  | 'plain'
  | 'time'
  | 'location'
  | 'rich_text'
  | 'asset'
  | 'assets'
  | 'entry'
  | 'entries'
  | 'block'
  | 'blocks';

export interface PlannedField {
  readonly kind: FieldKind;
  readonly definition: Table;
}

/** What the planning of a field asks of the rest of the export. */
export interface FieldParts {
  /** Kinds of blocks, and plurals: by the ids of content types. */
  target(type: string): { readonly block: string; readonly plural: string } | undefined;
  /** The types of the entries that the field leads to. */
  linked(): readonly string[];
  /** Whether all values are among these. */
  holdsOnly(values: readonly JsonValue[]): boolean;
  /** The control that people edit it with. */
  readonly control: string;
}

/** What a field becomes, or a sentence why there is none. */
export function plannedField(field: Table, parts: FieldParts): PlannedField | string {
  const items = tableOf(field.items);
  switch (field.type) {
    case 'Symbol':
      return { kind: 'text', definition: symbol(field, parts) };
    case 'Text':
      return {
        kind: 'text',
        definition: /^(?:singleLine|multipleLine)$/.test(parts.control)
          ? { field_type: 'text' }
          : { field_type: 'richtext', format: 'markdown' },
      };
    case 'Integer':
      return { kind: 'plain', definition: { field_type: 'integer' } };
    case 'Number':
      return { kind: 'plain', definition: { field_type: 'float' } };
    case 'Boolean':
      return { kind: 'plain', definition: { field_type: 'boolean' } };
    case 'Date':
      return { kind: 'time', definition: { field_type: 'datetime' } };
    case 'Location': {
      const fields = ['lat', 'lon'].map((name) => ({ name, field_type: 'float' }));
      return { kind: 'location', definition: { field_type: 'group', fields } };
    }
    case 'Object':
      return { kind: 'plain', definition: { field_type: 'json' } };
    case 'RichText':
      return { kind: 'rich_text', definition: { field_type: 'richtext' } };
    case 'Link':
      return field.linkType === 'Asset'
        ? { kind: 'asset', definition: { field_type: 'media' } }
        : links(field, parts, false);
    case 'Array':
      if (items.type === 'Symbol')
        return { kind: 'plain', definition: { field_type: 'list', item: { field_type: 'text' }, max_items: 10_000 } };
      return items.linkType === 'Asset'
        ? { kind: 'assets', definition: { field_type: 'media', multiple: true } }
        : links(items, parts, true);
    default:
      return `There is no field for values of ${JSON.stringify(field.type)}.`;
  }
}

function symbol(field: Table, { holdsOnly }: FieldParts): Table {
  const choices = validation(field, 'in');
  const values = Array.isArray(choices)
    ? choices.filter((each): each is string => typeof each === 'string' && each !== '')
    : [];
  return values.length > 0 && holdsOnly(values)
    ? { field_type: 'enum', enum_values: [...new Set(values)] }
    : { field_type: 'text', max_length: 500 };
}

/** Links to entries of one type are relations, those to several are blocks that name them. */
function links(field: Table, { target, linked }: FieldParts, isMany: boolean): PlannedField | string {
  const allowed = validation(field, 'linkContentType');
  const named = Array.isArray(allowed) ? allowed.map(String) : typeof allowed === 'string' ? [allowed] : linked();
  const types = [...new Set([...named, ...linked()])].flatMap((type) => target(type) ?? []);
  const [first, ...others] = types;
  if (first === undefined) return 'It may lead to entries of every type, and leads to none.';
  if (others.length === 0)
    return {
      kind: isMany ? 'entries' : 'entry',
      definition: {
        field_type: 'relation',
        relation: { relation_type: isMany ? 'many_to_many' : 'many_to_one', target: first.plural },
      },
    };
  const blocks = types.map(({ block, plural }) => ({
    name: block,
    fields: [{ name: 'item', field_type: 'relation', relation: { relation_type: 'many_to_one', target: plural } }],
  }));
  return {
    kind: isMany ? 'blocks' : 'block',
    definition: { field_type: 'blocks', max_items: isMany ? 10_000 : 1, blocks },
  };
}

/** The value of a validation; undefined: the field has none of that name. */
export const validation = (field: Table, name: string): JsonValue | undefined =>
  tablesOf(field.validations).find((each) => each[name] !== undefined)?.[name];

/** The validations that no definition here says. */
export const otherValidations = (field: Table): readonly string[] =>
  [...tablesOf(field.validations), ...tablesOf(tableOf(field.items).validations)].flatMap((each) =>
    Object.keys(each).filter((name) => !['in', 'unique', 'linkContentType', 'message'].includes(name)),
  );
