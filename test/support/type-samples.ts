import type {
  ContentType,
  ContentTypes,
  Endpoint,
  Field,
  FieldPlace,
} from '../../packages/recto/src/definition/content-type.ts';
import type { FieldType } from '../../packages/recto/src/definition/field-type.ts';
import { type FieldTypeName, fieldTypes } from '../../packages/recto/src/definition/fields/index.ts';
import { oneLanguage } from '../../packages/recto/src/definition/languages/languages.ts';
import { rolesOf } from '../../packages/recto/src/definition/rights/role-rights.ts';
import { noOwnRoles } from '../../packages/recto/src/definition/roles/role.ts';
import { TypeFacts } from '../../packages/recto/src/definition/type-facts.ts';

/** A field as a test writes it: the name of its type, and what differs from a plain optional field. */
export type FieldSample = FieldTypeName | (Partial<Field> & { readonly is: FieldTypeName });

const open: Endpoint = { access: 'public', filter: null, filterAuth: null, cache: false, fields: null };

/** A resolved field, without going through a definition file. A relation needs its `place`. */
export function sampleField(name: string, sample: FieldSample): Field {
  const { is, ...rest } = typeof sample === 'string' ? { is: sample } : sample;
  const type: FieldType = fieldTypes[is];
  const place: FieldPlace = { shape: 'column', column: name, kind: type.kind };
  return {
    name,
    type,
    place,
    origin: 'declared',
    writable: true,
    required: false,
    unique: false,
    private: false,
    immutable: false,
    indexed: false,
    localized: false,
    default: undefined,
    label: undefined,
    description: undefined,
    options: {},
    ...rest,
  };
}

/** A resolved content type for tests of what lies below the definition: only name, table, kind and fields matter. */
export function sampleType(
  singular: string,
  fields: Readonly<Record<string, FieldSample>>,
  kind: ContentType['kind'] = 'collection',
): ContentType {
  const all = [
    sampleField('id', {
      is: 'text',
      origin: 'engine',
      writable: false,
      type: { ...fieldTypes.text, searchable: false },
    }),
    ...Object.entries(fields).map(([name, sample]) => sampleField(name, sample)),
  ];
  const table = `cms_${singular}`;
  return {
    name: singular,
    singular,
    plural: `${singular}s`,
    description: undefined,
    kind,
    restful: true,
    table,
    fields: all,
    field: new Map(all.map((field) => [field.name, field])),
    protocols: [],
    partition: null,
    conditions: [],
    endpoints: { list: open, get: open, create: open, update: open, delete: open },
    scope: { type: singular, table, field: () => undefined, fieldNames: all.map(({ name }) => name) },
    visible: [],
    facts: new TypeFacts({ fields: all, protocols: [] }),
    builtIn: false,
    stored: false,
    definition: { singular },
    source: `${singular}.toml`,
  };
}

export function sampleTypes(...all: readonly ContentType[]): ContentTypes {
  const find = (singular: string) => all.find((type) => type.singular === singular);
  return {
    all,
    languages: oneLanguage,
    ownRoles: noOwnRoles,
    find,
    roles: rolesOf(),
    get: (singular) => {
      const type = find(singular);
      if (type === undefined) throw new Error(`no sample type ${singular}`);
      return type;
    },
  };
}
