import Type, { type TObject, type TSchema } from 'typebox';
import type { ContentType, EndpointName, Field } from '../../definition/content-type.ts';
import { listParameters } from '../../definition/list-parameters.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { searchFields } from '../../query/list-query.ts';
import { type ReadView, readableField } from '../../query/read-view.ts';
import { choiceParameters } from '../../query/row-choices.ts';
import { draftsOf } from '../../records/drafts/draft.ts';
import { ruleParameters } from '../../records/rule-parameters.ts';

/**
 * `Article` for `article`: the stem of a type's names in the OpenAPI document. Hyphens become capitals and underscores
 * stay, so that no two types share it; every name made of it has a suffix, so that none meets a name of other routes.
 */
export const schemaName = ({ singular }: ContentType): string =>
  singular
    .replace(
      /(^|-|_)([a-z])/g,
      (_, before: string, letter: string) => `${before.replace('-', '')}${letter.toUpperCase()}`,
    )
    .replaceAll('-', '__');

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const includedRecord = Type.Object(
  { id: Type.String() },
  { description: 'With `include`: the related record as its own `get` endpoint tells it.', additionalProperties: true },
);

/** A field as a record tells it: any may be null, since a field can be added to a type that has records already. */
function toldField(field: Field): TSchema {
  const described = field.description === undefined ? {} : { description: field.description };
  switch (field.place.shape) {
    case 'column':
      return field.origin === 'engine'
        ? field.type.output(field)
        : { ...nullable(field.type.output(field)), ...described };
    case 'to_one':
      return Type.Union([Type.String(), Type.Null(), includedRecord], described);
    case 'to_many':
    case 'mirror':
      return Type.Array(Type.Union([Type.String(), includedRecord]), described);
  }
}

/** A record as a view tells it. Views with the same fields share one schema, so that the document names it once. */
export function recordSchema(type: ContentType, view: ReadView): TObject {
  const fields = readableFields(type, view);
  const everyone = type.fields.filter((field) => !field.type.secret && !field.private);
  const whole = fields.length === everyone.length && fields.every((field, place) => field === everyone[place]);
  return Type.Object(Object.fromEntries(fields.map((field) => [field.name, toldField(field)])), {
    $id: `${schemaName(type)}Record${whole ? '' : `_${view}`}`,
    additionalProperties: false,
  });
}

export function listSchema(type: ContentType, view: 'list' | 'admin'): TObject {
  return Type.Object(
    {
      items: Type.Array(recordSchema(type, view)),
      total: Type.Integer({ minimum: -1, description: 'All records that match; -1 with `skip_total=true`.' }),
      page: Type.Integer({ minimum: 1 }),
      page_size: Type.Integer({ minimum: 1, description: 'The size used, which may be less than asked for.' }),
      next_cursor: Type.Optional(
        Type.String({ description: 'The `cursor` of the next page; left out where there is none.' }),
      ),
    },
    { additionalProperties: false },
  );
}

/** What a payload may hold. What the engine keeps may be sent back and is ignored, unless a protocol reads it. */
export function payloadSchema(type: ContentType, mode: 'create' | 'update'): TObject {
  const properties: Record<string, TSchema> = {};
  for (const field of type.fields) {
    if (!field.writable) {
      properties[field.name] = Type.Optional(Type.Unknown({ readOnly: true, description: 'Ignored when sent.' }));
      continue;
    }
    const input = field.required ? filled(field.type.input(field)) : nullable(field.type.input(field));
    const described: TSchema = field.description === undefined ? input : { ...input, description: field.description };
    properties[field.name] = mode === 'create' && mustBeSent(field) ? described : Type.Optional(described);
  }
  if (mode === 'update') {
    for (const { protocol, options } of type.protocols) Object.assign(properties, protocol.updateInput?.(options));
  }
  return Type.Object(properties, {
    $id: `${schemaName(type)}${mode === 'create' ? 'Create' : 'Update'}`,
    additionalProperties: false,
  });
}

/** An empty text is as good as none where something is required. */
function filled(input: TSchema): TSchema {
  if (!('type' in input) || input.type !== 'string') return input;
  const least = 'minLength' in input && typeof input.minLength === 'number' ? input.minLength : 0;
  return { ...input, minLength: Math.max(1, least) };
}

const mustBeSent = (field: Field): boolean =>
  field.required && field.default === undefined && field.options.target_field === undefined;

/** The parameters of a list, told as text: the list reads them itself. */
export function listQuerySchema(type: ContentType, view: 'list' | 'admin'): TObject {
  const properties: Record<string, TSchema> = {};
  for (const name of listParameters) {
    if (name === 'search' && searchFields(type, view).length === 0) continue;
    properties[name] = Type.Optional(listParameterSchemas[name]);
  }
  for (const field of readableFields(type, view)) {
    if (!field.type.filterable || field.place.shape === 'mirror') continue;
    const { filterAlias, filteredByElement } = field.type;
    const domain = field.type.domain?.(field);
    const wanted = domain === undefined || domain.words.length === 0 ? 'this value' : domain.wanted;
    const description = `Only records whose ${field.name} ${filteredByElement ? 'hold' : 'is'} ${wanted}.`;
    properties[field.name] = Type.Optional(Type.String({ description }));
    if (filterAlias !== undefined && !type.field.has(filterAlias)) {
      properties[filterAlias] = Type.Optional(Type.String({ description: `The same as ${field.name}.` }));
    }
  }
  addChoices(properties, type, view);
  for (const name of ruleParameters(type, view)) properties[name] ??= readByRule;
  const meta =
    readableField(type, view, '__meta') === undefined
      ? {}
      : { description: '`__meta.{path}` filters by a path in the metadata.' };
  return Type.Object(properties, meta);
}

const listParameterSchemas = {
  page: Type.Integer({ minimum: 1, default: 1, description: 'Page number.' }),
  page_size: Type.Integer({
    minimum: 1,
    default: 20,
    description: 'Items per page; capped at the configured maximum.',
  }),
  sort: Type.String({ description: '`field:asc` or `field:desc`, several separated by commas.' }),
  search: Type.String({ description: 'Words that must all occur, the last one as a beginning.' }),
  include: Type.String({
    description: 'Relations to populate, separated by commas; `author.team` goes on, to 3 levels.',
  }),
  skip_total: Type.Boolean({ default: false, description: 'Leave out the counting; `total` is then -1.' }),
  cursor: Type.String({
    description: 'The `next_cursor` of the page before, with the same filters and order; instead of `page`.',
  }),
} as const satisfies Record<(typeof listParameters)[number], TSchema>;

/** The parameters of a route for one record: `include` where it is read, and what the endpoint's rules read. */
export function recordQuerySchema(type: ContentType, action: EndpointName, admin: boolean): TObject {
  const properties: Record<string, TSchema> = {};
  if (action === 'get') {
    properties.include = Type.Optional(listParameterSchemas.include);
    addChoices(properties, type, admin ? 'admin' : 'get');
  }
  if (admin && (action === 'get' || action === 'update') && draftsOf(type) !== undefined)
    properties.draft = draft[action];
  for (const name of ruleParameters(type, admin ? 'admin' : action)) properties[name] ??= readByRule;
  return Type.Object(properties);
}

const draft = {
  get: Type.Optional(Type.Boolean({ default: false, description: 'Tell the record as its draft would make it.' })),
  update: Type.Optional(Type.Boolean({ default: false, description: 'Change the draft of a published record.' })),
};

/** The parameters with which an admin read asks for rows that protocols hide. */
function addChoices(properties: Record<string, TSchema>, type: ContentType, view: ReadView): void {
  for (const { name, description, choices } of choiceParameters(type, view)) {
    properties[name] = Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...choices.keys()], description }));
  }
}

const readByRule = Type.Optional(Type.String({ description: 'Read by a rule.' }));
