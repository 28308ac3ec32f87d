/** The parts of an OpenAPI document that the reference shows. */
export interface OpenApi {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

interface Operation {
  readonly tags?: readonly string[];
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content?: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly security?: readonly unknown[];
}

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Answer {
  readonly description?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A page of the reference: its name, its title and its Markdown. */
export interface ReferencePage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The reference of an API: a page for each tag, and one with all schemas. */
export function referencePages(document: OpenApi): readonly ReferencePage[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'other'));
  const pages = [...tags].map((tag): ReferencePage => {
    const about = document.tags?.find(({ name }) => name === tag)?.description;
    const own = operations.filter(({ operation }) => (operation.tags?.[0] ?? 'other') === tag);
    const parts = own.map(({ path, method, operation }) => operationText(path, method, operation, document));
    return { name: slug(tag), title: titleOf(tag), text: [`# ${titleOf(tag)}`, text(about), ...parts].join('\n\n') };
  });
  return [...pages, { name: 'schemas', title: 'Schemas', text: schemasText(document) }];
}

const slug = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const titleOf = (tag: string): string =>
  (tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ')).replace(/^Api\b/, 'API');

function operationText(path: string, method: string, operation: Operation, document: OpenApi): string {
  const parameters = (operation.parameters ?? []).map((one) => resolved(one, document.components?.parameters));
  const body = Object.entries(operation.requestBody?.content ?? {});
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    ...{ status, answer: resolved(answer, document.components?.responses) },
  }));
  return [
    `## ${text(operation.summary ?? operation.operationId)} {#${operation.operationId}}`,
    `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code v-pre>${escaped(path)}</code></p>`,
    text(operation.description),
    parameters.length === 0
      ? ''
      : table(
          ['Parameter', 'In', 'Type', ''],
          parameters.map(({ name, in: place, required, schema, description }) => [
            `${code(name)}${required === true ? ' *' : ''}`,
            place,
            typeOf(schema ?? {}),
            text(description ?? schema?.description),
          ]),
        ),
    ...body.map(([type, { schema = {} }]) => `**Body** ${code(type)}: ${typeOf(schema)}`),
    table(
      ['Status', 'Response', ''],
      answers.map(({ status, answer: { content = {}, description } }) => [
        code(status),
        Object.values(content)
          .map(({ schema = {} }) => typeOf(schema))
          .join(', '),
        text(description),
      ]),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function schemasText({ components }: OpenApi): string {
  const parts = Object.entries(components?.schemas ?? {}).map(([name, schema]) => {
    const rows = Object.entries(schema.properties ?? {}).map(([property, inner]) => [
      `${code(property)}${schema.required?.includes(property) === true ? ' *' : ''}`,
      typeOf(inner),
      text(inner.description),
    ]);
    const shape = rows.length === 0 ? typeOf({ ...schema, description: '' }) : table(['Member', 'Type', ''], rows);
    return [`## ${name} {#schema-${slug(name)}}`, text(schema.description), shape]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return ['# Schemas', 'A member with * is always there, or has to be sent.', ...parts].join('\n\n');
}

/** Of the values of an `enum`, as many are shown. */
const mostValues = 8;

/** A schema in words, with links to named ones. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return `[${name}](./schemas.md#schema-${slug(name)})`;
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' and ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    const values = schema.enum.slice(0, mostValues).map((value) => code(JSON.stringify(value)));
    return `${values.join(' or ')}${schema.enum.length > mostValues ? ' or …' : ''}`;
  }
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const types = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any value');
  return `${types}${limits(schema)}`;
}

function limits({ format, minimum, maximum, minLength, maxLength, default: fallback }: Schema): string {
  const parts = [
    format,
    minimum === undefined ? undefined : `≥ ${minimum}`,
    maximum === undefined || maximum > 1e12 ? undefined : `≤ ${maximum}`,
    minLength === undefined ? undefined : `at least ${minLength} characters`,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    fallback === undefined ? undefined : `default ${code(JSON.stringify(fallback))}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function resolved<T extends object>(value: T | Reference, named: Readonly<Record<string, T>> = {}): T {
  if (!('$ref' in value)) return value;
  const found = named[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`The document has no ${value.$ref}.`);
  return found;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n');

const code = (value: string): string => `\`${value.replaceAll('`', "'")}\``;
const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** Text of the document is no markup. */
const text = (value = ''): string =>
  value
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part).replaceAll('{', '&#123;')))
    .join('');
