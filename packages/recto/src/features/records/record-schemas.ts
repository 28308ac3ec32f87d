import Type, { type TObject, type TSchema } from 'typebox';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { isFileField, type MemberSchema } from '../../definition/field-type.ts';
import { includableFields } from '../../definition/includable-fields.ts';
import { mustBeSent } from '../../definition/must-be-sent.ts';
import { profileSingular } from '../../definition/profile/profile-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { fullView, includedName, type ViewName, viewNamed } from '../../definition/rights/read-view.ts';
import { localizedFields } from '../../definition/stored-field.ts';
import { hasLinks } from '../../definition/structure/inner-links.ts';
import { hidesPrivate } from '../../definition/structure/structure-items.ts';
import { filled } from '../../definition/structure/structure-schema.ts';
import type { SchemaLookup } from '../../http/openapi/openapi-schemas.ts';
import { recordId, sharedSchemas } from '../../http/shared-schemas.ts';
import { everyLanguage, takesEveryLanguage, takesMay } from '../../query/read-view.ts';
import { mostIds, totalName } from '../../records/answers/truncated-lists.ts';
import { languageMembers } from '../../records/plans/shown-languages.ts';
import { mayActions, mayName } from '../../records/select/may-member.ts';
import { nullOr } from '../../values/null-or.ts';
import { schemaName } from './schema-name.ts';

/** A field as a record shows it: any may be null, since a field can be added to a type that has records already. */
function shownField(field: Field, view: ViewName, types: ContentTypes): TSchema {
  const described = field.description === undefined ? {} : { description: field.description };
  switch (field.place.shape) {
    case 'column': {
      const output = field.type.name === 'id' ? recordId : field.type.output(field, memberOf(view, types));
      return field.origin === 'engine' ? output : { ...nullOr(output), ...described };
    }
    case 'to_one':
      if (field.place.media !== undefined) {
        const file = [...filesOf(field, field.place.target, view, types), Type.Null()];
        return Type.Unsafe({ anyOf: file, ...described });
      }
      return Type.Unsafe({ oneOf: [...relatedRecord(field.place.target, view, types), Type.Null()], ...described });
    case 'to_many':
    case 'inverse':
      if (field.place.shape === 'to_many' && field.place.media !== undefined) {
        return Type.Array(Type.Unsafe({ anyOf: filesOf(field, field.place.target, view, types) }), described);
      }
      return Type.Array(Type.Unsafe({ oneOf: relatedRecord(field.place.target, view, types) }), described);
  }
}

/** A field inside another, where the view shows it. */
const memberOf =
  (view: ViewName, types: ContentTypes): MemberSchema =>
  (inner) => {
    if (inner.private && view !== 'admin') return undefined;
    if (inner.place.shape === 'column') return inner.type.output(inner, memberOf(view, types));
    if (isFileField(inner))
      return Type.Unsafe({ anyOf: [...filesOf(inner, inner.place.target, view, types), Type.Null()] });
    return Type.Unsafe({ oneOf: [...relatedRecord(inner.place.target, view, types), Type.Null()] });
  };

/** What is shown of a file, or with `include` all of it. */
const filesOf = (field: Field, target: string, view: ViewName, types: ContentTypes): TSchema[] => [
  field.type.output(field),
  ...relatedRecord(target, view, types).slice(1),
];

const listTotal = ({ name }: Field): TSchema =>
  Type.Optional(
    Type.Integer({
      minimum: mostIds + 1,
      description: `How many ids ${name} has, where only the first ${mostIds} are shown.`,
    }),
  );

/** An id, or with `include` the record as its own `get` endpoint shows it: by reference, because relations may form a circle. */
const relatedRecord = (target: string, view: ViewName, types: ContentTypes): TSchema[] => [
  recordId,
  includedRecord(target, view, types),
];

const includedRecord = (target: string, view: ViewName, types: ContentTypes): TSchema =>
  Type.Unsafe({ $ref: recordName(types.get(target), includedName(view)) });

/** Only with `include`: the record whose id a field holds. */
const addedRecord = ({ name }: Field, target: string, view: ViewName, types: ContentTypes): TSchema =>
  Type.Optional(
    Type.Unsafe({
      oneOf: [includedRecord(target, view, types), Type.Null()],
      description: `Only with \`include\`: the record of ${name}; null where the caller does not see it.`,
    }),
  );

/** The name of a record's schema. Views that show the same share one, so that the document has it once. */
export function recordName(type: ContentType, view: ViewName): string {
  if (type.component !== undefined) return type.component;
  const name = `${schemaName(type)}Record`;
  const fields = readableFields(type, viewNamed(view));
  const everyone = type.fields.filter((field) => !field.type.secret && !field.private);
  const whole = fields.length === everyone.length && fields.every((field, place) => field === everyone[place]);
  // What an included record shows to admins differs from what it shows to others.
  const isOwn =
    view === 'admin' &&
    (includableFields(type, viewNamed(view)).some(({ target }) => target !== profileSingular) ||
      fields.some((field) => hidesPrivate(field) || hasLinks(field)));
  return whole && !isOwn ? name : `${name}_${view}`;
}

/** A record as a view shows it. */
export function recordSchema(type: ContentType, view: ViewName, types: ContentTypes): TObject {
  const fields = readableFields(type, viewNamed(view));
  const shown = fields.map((field) => [field.name, shownField(field, view, types)] as const);
  const added = includableFields(type, viewNamed(view)).flatMap(({ name, field, target }) =>
    field.name === name ? [] : [[name, addedRecord(field, target, view, types)] as const],
  );
  const totals = fields.flatMap((field) => {
    const name = totalName(type, field);
    return name === undefined ? [] : [[name, listTotal(field)] as const];
  });
  return Type.Object(Object.fromEntries([...shown, ...added, ...totals, ...languageSchemas(type)]), {
    $id: recordName(type, view),
    additionalProperties: false,
  });
}

/** Where a record is in one language. */
const address = Type.Object(
  {
    slug: Type.Union([Type.String(), Type.Null()]),
    url: Type.Union([Type.String(), Type.Null()], {
      description: 'Its address on the site; null where the settings have none of the language.',
    }),
  },
  { $id: 'RecordAddress', additionalProperties: false },
);

/** What a record of a type with localized fields says of its languages. */
function languageSchemas({ languages }: ContentType): readonly (readonly [string, TSchema])[] {
  if (languages === undefined) return [];
  const tag = () => Type.Unsafe<string>({ type: 'string', enum: languages.all.map((language) => language.tag) });
  const { shown, there, fallback, alternates } = languageMembers;
  const addresses = Object.fromEntries(languages.all.map((language) => [language.tag, Type.Optional(address)]));
  return [
    [shown, { ...tag(), description: 'The language that the record is shown in.' }],
    [there, Type.Array(tag(), { description: 'The languages in which the record says something.' })],
    [fallback, Type.Array(Type.String(), { description: 'The fields whose values another language stands in with.' })],
    [
      alternates,
      Type.Optional(
        Type.Object(addresses, {
          additionalProperties: false,
          description: 'Only with `alternates=true`: the languages in which the record can be read.',
        }),
      ),
    ],
  ];
}

/** A record as a read returns it: whole, or with `fields` a part of it. */
export const readSchema = (type: ContentType, view: ViewName, types: ContentTypes): TSchema =>
  view === 'admin'
    ? inLanguages(
        type,
        takesMay(type, fullView) ? withRights(...whole(type, view, types)) : wholeOrPart(...whole(type, view, types)),
        types,
      )
    : wholeOrPart(...whole(type, view, types));

const whole = (type: ContentType, view: ViewName, types: ContentTypes): readonly [TObject, string] => [
  recordSchema(type, view, types),
  recordName(type, view),
];

/** A record of the admin routes, in one language or in all. */
function inLanguages(type: ContentType, inOne: TSchema, types: ContentTypes): TSchema {
  const { languages } = type;
  if (languages === undefined || !takesEveryLanguage(type, fullView)) return inOne;
  const {
    [languageMembers.shown]: _,
    [languageMembers.fallback]: __,
    ...members
  } = recordSchema(type, 'admin', types).properties;
  const all = Type.Literal(everyLanguage, { description: 'All languages.' });
  const localized = localizedFields(type).flatMap(({ name }): (readonly [string, TSchema])[] => {
    const value = members[name];
    if (value === undefined) return [];
    const values = Object.fromEntries(languages.all.map(({ tag }) => [tag, Type.Optional(value)]));
    return [[name, Type.Object(values, { additionalProperties: false })]];
  });
  const every = partSchema(
    { ...members, [languageMembers.shown]: all, ...Object.fromEntries(localized) },
    `${recordName(type, 'admin')}InLanguages`,
  );
  const described = { ...every, description: 'Only with `language=*`: each localized field by language.' };
  return Type.Unsafe({ anyOf: [inOne, described] });
}

/** A record of the admin routes: as `wholeOrPart` has it, or with what the caller may do with it. */
function withRights(whole: TObject, name: string): TSchema {
  const part = partSchema(whole.properties, name);
  const rights = Type.Array(Type.Enum([...mayActions]), { description: 'What the caller may do with the record.' });
  const marked = Type.Object(
    { ...part.properties, [mayName]: rights },
    {
      $id: `${name}WithRights`,
      additionalProperties: false,
      description: `Only with \`may=true\`: ${name}, or a part of it, with what the caller may do with it.`,
    },
  );
  return Type.Unsafe({ anyOf: [whole, part, marked] });
}

/** What `name` describes, or the members of it that `fields` selects. */
export const wholeOrPart = (whole: TObject, name: string): TSchema =>
  Type.Unsafe({ anyOf: [whole, partSchema(whole.properties, name)] });

/** What is shown whatever `fields` selects. */
const alwaysShown = ['id', ...Object.values(languageMembers)];

/** The members that `fields` selects of what `name` describes. */
export function partSchema(properties: Type.TProperties, name: string, kept: readonly string[] = alwaysShown): TObject {
  const members = Object.entries(properties).map(
    ([member, schema]) => [member, kept.includes(member) ? schema : Type.Optional(schema)] as const,
  );
  return Type.Object(Object.fromEntries(members), {
    $id: `${name}Part`,
    additionalProperties: false,
    description: `Only with \`fields\`: a part of ${name}.`,
  });
}

/** The schemas that those of records reference: the related records of all types. */
export function recordSchemaLookup(types: ContentTypes): SchemaLookup {
  const views = ['get', 'admin'] as const;
  const named = new Map(
    [...types.all, types.get(profileSingular)].flatMap((type) =>
      views.map((view) => [recordName(type, view), { type, view }] as const),
    ),
  );
  return (name) => {
    const found = named.get(name);
    return found === undefined ? sharedSchemas.get(name) : recordSchema(found.type, found.view, types);
  };
}

export function listSchema(type: ContentType, view: 'list' | 'admin', types: ContentTypes): TObject {
  return Type.Object(
    {
      items: Type.Array(readSchema(type, view, types)),
      total: Type.Integer({ minimum: -1, description: 'All records that match; -1 with `skip_total=true`.' }),
      total_is_estimate: Type.Optional(
        Type.Literal(true, {
          description:
            'Only where `total` is not exact: of a great list just after a write, an earlier total; of a search, the least that there are.',
        }),
      ),
      page: Type.Integer({ minimum: 1 }),
      page_size: Type.Integer({ minimum: 1, description: 'The size used, which may be less than requested.' }),
      next_cursor: Type.Optional(
        Type.String({ description: 'The `cursor` of the next page. Left out on the last page.' }),
      ),
    },
    { additionalProperties: false },
  );
}

/** What a payload may hold. What the engine keeps may be sent back and is ignored, unless a protocol reads it. */
export function payloadSchema(type: ContentType, mode: 'create' | 'update' | 'copy'): TObject {
  const properties: Record<string, TSchema> = {};
  for (const field of type.fields) {
    const total = totalName(type, field);
    if (total !== undefined) properties[total] = Type.Optional(sentTotal(field));
    if (!field.writable) {
      properties[field.name] = Type.Optional(Type.Unknown({ readOnly: true, description: 'Ignored when sent.' }));
      continue;
    }
    const { input, documentedInput = input } = field.type;
    const taken = field.required ? filled(documentedInput(field)) : nullOr(documentedInput(field));
    const description = payloadDescription(field);
    const described: TSchema = description === undefined ? taken : { ...taken, description };
    properties[field.name] = mode === 'create' && mustBeSent(field) ? described : Type.Optional(described);
  }
  if (type.languages !== undefined) Object.assign(properties, sentLanguages());
  if (mode === 'update') {
    for (const { protocol, options } of type.protocols) Object.assign(properties, protocol.updateInput?.(options));
  }
  return Type.Object(properties, {
    $id: `${schemaName(type)}${payloadNames[mode]}`,
    additionalProperties: false,
  });
}

const payloadNames = { create: 'Create', update: 'Update', copy: 'Copy' } as const;

/** What a copy has in place of what the record has: nothing that an update takes beside the fields. */
export const copySchema = (type: ContentType): TObject =>
  payloadSchema(type, type.protocols.some(({ protocol }) => protocol.updateInput !== undefined) ? 'copy' : 'update');

/** What a record says of its languages, sent back. */
const sentLanguages = (): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(
    Object.values(languageMembers).map((name) => {
      const but = name === languageMembers.shown ? ', but `*` is an error: that was read with all languages' : '';
      return [name, Type.Optional(Type.Unknown({ readOnly: true, description: `Ignored when sent${but}.` }))];
    }),
  );

/** What is said of a field that may be sent. */
function payloadDescription({ description, showIf }: Field): string | undefined {
  if (showIf?.required !== true) return description;
  const condition = `Required if \`${showIf.source}\`.`;
  return description === undefined ? condition : `${description} ${condition}`;
}

const sentTotal = ({ name, writable }: Field): TSchema =>
  Type.Unknown({
    readOnly: true,
    description: `Ignored when sent${writable ? `, but a ${name} with fewer ids than it says is an error` : ''}.`,
  });
