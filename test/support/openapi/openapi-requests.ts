import fc from 'fast-check';
import { awkwardValues } from '../awkward-values.ts';
import type { DocumentedOperation, OpenApiReader, Parameter } from './openapi-reader.ts';
import { type DocumentSchema, valuesOf } from './schema-values.ts';

/** What a request sends besides its path and body: names and texts, as they travel. */
export interface SentParameters {
  readonly query: readonly (readonly [name: string, text: string])[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Texts that are wrong for most parameters, and near to right for some. */
const awkwardTexts = fc.constantFrom(
  ...['x', '-', '0', '-1', '1.5', '1e3', '+1', '007', '9'.repeat(20), 'TRUE', 'true', 'null', 'NaN', 'é', '%', '"'],
  ...[
    '2026-02-30',
    '2026-02-28',
    '2026-02-28T24:00:00Z',
    '2026-02-28T10:00:60Z',
    '2026-02-28T10:00:00',
    '25:00',
    '10:00',
  ],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '1.', '.5', `0.${'1'.repeat(41)}`],
  ...[
    '01990000-0000-7000-8000-00000000000a',
    '01990000-0000-7000-8000-00000000000A',
    'id:asc',
    'id:up',
    'ID:asc',
    'a,b',
  ],
);

/** For headers, which carry visible ASCII. */
const awkwardHeaders = fc.constantFrom(
  'x',
  '"x"',
  '"',
  '""',
  'a,b',
  'a b',
  'A',
  '-a',
  'a'.repeat(64),
  'a'.repeat(256),
  '*',
);

/** Parameters as the document describes them, some of them damaged, and sometimes one that it does not describe. */
export function sentParameters(reader: OpenApiReader, operation: DocumentedOperation): fc.Arbitrary<SentParameters> {
  const of = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const query = fc
    .tuple(
      chosen(of('query'), (parameter) => queryEntries(reader, parameter)),
      fc.integer({ min: 0, max: 15 }),
    )
    .map(([entries, stray]) =>
      stray === 0 ? [...entries.flat(), ['no_such_parameter', '1'] as const] : entries.flat(),
    );
  const headers = chosen(of('header'), (parameter) =>
    headerText(reader, parameter).map((text) => [parameter.name, text] as const),
  ).map((entries) => Object.fromEntries(entries));
  return fc.record({ query, headers });
}

/** Up to three of many, so that most requests have none that is wrong. */
function chosen<T>(all: readonly Parameter[], make: (parameter: Parameter) => fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  if (all.length === 0) return fc.constant([]);
  return fc
    .subarray([...all], { minLength: 0, maxLength: Math.min(3, all.length) })
    .chain((some) => fc.tuple(...some.map(make)));
}

type Entries = SentParameters['query'];

function queryEntries(reader: OpenApiReader, parameter: Parameter): fc.Arbitrary<Entries> {
  const { name, schema, allowEmptyValue } = parameter;
  const { patternProperties } = resolved(reader, schema);
  const described =
    patternProperties === undefined
      ? valuesOf(schema, reader.resolve).map((value): Entries => [[name, written(value)]])
      : membersOf(patternProperties);
  const damaged = awkwardTexts.map((text): Entries => [[patternProperties === undefined ? name : `${name}.`, text]]);
  const empty = fc.constant<Entries>([[name, '']]);
  return fc.oneof(
    { arbitrary: described, weight: 6 },
    { arbitrary: damaged, weight: 2 },
    { arbitrary: empty, weight: allowEmptyValue === true ? 1 : 0 },
  );
}

const membersOf = (patterns: Readonly<Record<string, DocumentSchema>>): fc.Arbitrary<Entries> =>
  fc
    .dictionary(
      fc.oneof(...Object.keys(patterns).map((pattern) => fc.stringMatching(new RegExp(pattern)))),
      fc.string(),
      {
        maxKeys: 2,
      },
    )
    .map((members) => Object.entries(members));

const headerText = (reader: OpenApiReader, { schema }: Parameter): fc.Arbitrary<string> =>
  fc.oneof(
    schema.pattern === undefined
      ? fc.stringMatching(/^[!-~]{1,20}$/)
      : valuesOf(schema, reader.resolve).map((value) => String(value)),
    awkwardHeaders,
  );

const written = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** The names of the parameters that the document does not accept: malformed, or not known. */
export function faultyParameters(
  reader: OpenApiReader,
  operation: DocumentedOperation,
  { query, headers }: SentParameters,
): ReadonlySet<string> {
  const faulty = new Set<string>();
  for (const [name, text] of query) if (!acceptsQuery(reader, operation, name, text)) faulty.add(name);
  for (const [name, text] of Object.entries(headers)) {
    const parameter = operation.parameters.find((each) => each.in === 'header' && each.name === name);
    if (parameter === undefined || reader.faults(parameter.schema, text) !== null) faulty.add(name);
  }
  return faulty;
}

function acceptsQuery(reader: OpenApiReader, operation: DocumentedOperation, name: string, text: string): boolean {
  for (const parameter of operation.parameters) {
    if (parameter.in !== 'query') continue;
    const schema = resolved(reader, parameter.schema);
    // Its members are parameters of their own.
    if (schema.type === 'object') {
      if (reader.faults(schema, { [name]: text }) === null) return true;
    } else if (parameter.name === name) {
      if (text === '' && parameter.allowEmptyValue === true) return true;
      return reader.faults(schema, readAs(schema, text)) === null;
    }
  }
  return false;
}

const resolved = (reader: OpenApiReader, schema: DocumentSchema): DocumentSchema =>
  schema.$ref === undefined ? schema : reader.resolve(schema.$ref);

/** The value that a text stands for; the text itself where it stands for none. */
function readAs({ type }: DocumentSchema, text: string): unknown {
  switch (type) {
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'array':
      return text.split(',');
    default:
      return text;
  }
}

export type Body = Readonly<Record<string, unknown>>;

/** What is changed of a body: members that get another value, or (`undefined`) none. */
export function bodyChanges(reader: OpenApiReader, { bodySchema = {} }: DocumentedOperation): fc.Arbitrary<Body> {
  const { properties = {} } = resolved(reader, bodySchema);
  const members = Object.entries(properties).map(([name, schema]) =>
    fc
      .oneof({ arbitrary: valuesOf(schema, reader.resolve), weight: 3 }, awkwardValues, fc.constant(undefined))
      .map((value) => [name, value] as const),
  );
  const stray = fc.constantFrom('no_such_member', '').map((name) => [name, 1] as const);
  const change = fc.oneof({ arbitrary: fc.oneof(...members), weight: 9 }, stray);
  return fc.array(change, { maxLength: 3 }).map((changes) => Object.fromEntries(changes));
}
