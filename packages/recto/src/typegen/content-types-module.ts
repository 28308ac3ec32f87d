import type { ContentType, ContentTypes, EndpointName, Field } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';
import { payloadSchema } from '../http/cms/record-schemas.ts';
import { newCommentSchema, trapOf } from '../http/comments/comment-schemas.ts';
import { typeAddress } from '../http/type-address.ts';
import { mostIds, totalName } from '../records/cut-lists.ts';
import { docComment } from './doc-comment.ts';
import { arrayType, propertyName, schemaParts, schemaType, unionType } from './schema-type.ts';
import { type TypeNames, typeNames } from './type-names.ts';

/**
 * A TypeScript module with the types of all records, payloads and list answers, those of the built-in types included.
 * The same definitions give the same text, byte for byte.
 */
export function contentTypesModule(types: ContentTypes): string {
  const sorted = types.all.toSorted((one, other) => (one.singular < other.singular ? -1 : 1));
  const names = typeNames(sorted);
  const named = (singular: string): TypeNames => {
    const found = names.get(singular);
    if (found === undefined) throw new Error(`There is no type ${singular}.`);
    return found;
  };
  return [moduleHead, ...sorted.flatMap((type) => typeBlocks(type, named))].join('\n');
}

const moduleHead = `// The content of this service, as its REST API tells and takes it.
// Made by "recto types"; make it anew when a definition changes.
//
// A relation is an id, or with "include" the record. A value may be null where the field was added to a type
// that had records already.
`;

type Named = (singular: string) => TypeNames;

function typeBlocks(type: ContentType, named: Named): readonly string[] {
  const names = named(type.singular);
  const address = typeAddress(type);
  const blocks = [
    ...recordBlocks(type, named),
    record(names.admin, type, 'admin', named, [`${type.name}, as the admin routes tell it.`]),
    payload(names.create, type, 'create', 'What a new one is made of.'),
  ];
  // Of a comment nothing changes but its status, which has a route of its own.
  if (!isComment(type)) blocks.push(payload(names.update, type, 'update', 'What changes one; what is left out stays.'));
  if (type.kind === 'collection') {
    const listed = sameFields(type, 'list', 'get') ? names.record : names.listed;
    blocks.push(list(names.list, listed, `What \`GET ${address}\` answers.`));
  }
  blocks.push(list(names.adminList, names.admin, 'The same of the admin routes.'));
  return isComment(type) ? [...blocks, thread(names)] : blocks;
}

/** What everyone is told: by `get`, and by other endpoints where their `fields` differ. */
function recordBlocks(type: ContentType, named: Named): string[] {
  const names = named(type.singular);
  const description = type.description ?? `${type.name}, as the public routes tell it.`;
  const blocks = [record(names.record, type, 'get', named, [description, `\`${typeAddress(type)}\``])];
  const others = { list: names.listed, create: names.created, update: names.updated } as const;
  for (const view of ['list', 'create', 'update'] as const) {
    if (sameFields(type, view, 'get') || (view !== 'update' && type.kind === 'single')) continue;
    blocks.push(record(others[view], type, view, named, [`${type.name}, as the answer to \`${view}\` tells it.`]));
  }
  return blocks;
}

function sameFields(type: ContentType, one: EndpointName, other: EndpointName): boolean {
  const [left, right] = [readableFields(type, one), readableFields(type, other)];
  return left.length === right.length && left.every((field, place) => field === right[place]);
}

function record(
  name: string,
  type: ContentType,
  view: 'admin' | EndpointName,
  named: Named,
  doc: readonly string[],
): string {
  const included = (target: string): string => named(target)[view === 'admin' ? 'admin' : 'record'];
  const members = readableFields(type, view).flatMap((field) => {
    const total = totalName(type, field);
    const own = member(field.name, true, toldType(field, included), fieldDoc(field));
    const doc = [`How many there are, where only the first ${mostIds} ids are shown.`];
    return total === undefined ? [own] : [own, member(total, false, 'number', doc)];
  });
  return interfaceText(name, doc, members);
}

/** As `http/cms/record-schemas.ts` has it: any but the id may be null. */
function toldType(field: Field, included: (target: string) => string): string {
  const { place } = field;
  switch (place.shape) {
    case 'column': {
      const told = schemaType(field.type.output(field));
      return field.origin === 'engine' ? told : unionType([told, 'null']);
    }
    case 'to_one':
      return unionType(['string', included(place.target), 'null']);
    case 'to_many':
    case 'inverse':
      return arrayType(unionType(['string', included(place.target)]));
  }
}

function payload(name: string, type: ContentType, mode: 'create' | 'update', doc: string): string {
  const schema = isComment(type) && mode === 'create' ? newCommentSchema(type) : payloadSchema(type, mode);
  const required: ReadonlySet<string> = new Set(schema.required);
  // A trap for robots is nothing for a program to send.
  const trap = isComment(type) ? trapOf(type) : undefined;
  const members = Object.entries(schema.properties)
    .filter(([property, inner]) => schemaParts(inner).readOnly !== true && property !== trap)
    .map(([property, inner]) => {
      const field = type.field.get(property);
      return member(property, required.has(property), schemaType(inner), field === undefined ? [] : fieldDoc(field));
    });
  return interfaceText(name, [doc], members);
}

const fieldDoc = (field: Field): readonly (string | undefined)[] => [
  field.private ? 'Private: only the admin routes tell it.' : undefined,
  field.description ?? field.label,
];

function list(name: string, item: string, doc: string): string {
  return interfaceText(
    name,
    [doc],
    [
      member('items', true, arrayType(item), []),
      member('total', true, 'number', ['-1 with `skip_total=true`.']),
      member('page', true, 'number', []),
      member('page_size', true, 'number', []),
      member('next_cursor', false, 'string', ['The `cursor` of the next page, where there is one.']),
    ],
  );
}

/** The comments of a post are told as threads (service specification, section 4.2). */
function thread({ thread: name, record: comment }: TypeNames): string {
  const replies = `  replies: ${name}[];\n`;
  const doc = docComment(['A comment with those that answer it.', '`/api/v1/posts/{slug}/comments`']);
  return `${doc}export interface ${name} extends ${comment} {\n${replies}}\n`;
}

const isComment = (type: ContentType): boolean => type.builtIn && type.singular === 'comment';

const member = (name: string, required: boolean, type: string, doc: readonly (string | undefined)[]): string =>
  `${docComment(doc, '  ')}  ${propertyName(name)}${required ? '' : '?'}: ${type};\n`;

const interfaceText = (name: string, doc: readonly string[], members: readonly string[]): string =>
  `${docComment(doc)}export interface ${name} {\n${members.join('')}}\n`;
