import Type, { type TSchema } from 'typebox';
import { longestKey } from './idempotency/idempotency-key.ts';
import { problemName, problemResponses, problemStatuses } from './openapi-problems.ts';
import { requestBody } from './openapi-request-body.ts';
import { type JsonMembers, OpenApiSchemas } from './openapi-schemas.ts';
import type { Operation, ResponseSpec } from './operation.ts';
import { answersPatch } from './route-table.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** The OpenAPI 3.1.0 document of the operations: plain JSON, the same for the same operations in whatever order. Throws for two with one id. */
export function openApiDocument(operations: readonly Operation[], info: OpenApiInfo): JsonMembers {
  const schemas = new OpenApiSchemas();
  const paths: Record<string, JsonMembers> = {};
  for (const operation of operations.toSorted(byPathAndMethod)) {
    const item = { ...paths[operation.path], ...pathItem(operation, schemas) };
    paths[operation.path] = item;
  }
  refuseDoubleIds(operations);
  const statuses = new Set(operations.flatMap(problemStatuses));
  const responses = problemResponses(statuses, schemas);
  return {
    openapi: '3.1.0',
    info: { ...info },
    tags: [...new Set(operations.map(({ tag }) => tag))].toSorted().map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components(), responses, securitySchemes },
  };
}

/** Service specification, section 5.1. */
const securitySchemes = { bearer_auth: { type: 'http', scheme: 'bearer' } };

const security = {
  none: [],
  optional: [{}, { bearer_auth: [] }],
  bearer: [{ bearer_auth: [] }],
} satisfies Record<Operation['security'], readonly object[]>;

function byPathAndMethod(a: Operation, b: Operation): number {
  const [left, right] = [`${a.path} ${a.method}`, `${b.path} ${b.method}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

function refuseDoubleIds(operations: readonly Operation[]): void {
  const ids = new Set<string>();
  for (const { id } of operations) {
    if (ids.has(id)) throw new Error(`Two operations have the id ${id}.`);
    ids.add(id);
  }
}

function pathItem(operation: Operation, schemas: OpenApiSchemas): JsonMembers {
  const description = operationObject(operation, schemas);
  const item = { [operation.method.toLowerCase()]: description };
  return answersPatch(operation) ? { ...item, patch: { ...description, operationId: `${operation.id}Patch` } } : item;
}

function operationObject(operation: Operation, schemas: OpenApiSchemas): JsonMembers {
  const { id, tag, summary, body } = operation;
  const description = descriptionOf(operation);
  const parameters = [
    ...pathParameters(operation, schemas),
    ...queryParameters(operation, schemas),
    ...headerParameters(operation, schemas),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    security: security[operation.security],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, schemas) }),
    responses: responsesOf(operation, schemas),
  };
}

function descriptionOf({ description, roles }: Operation): string {
  const role = roles === undefined ? [] : [`Takes the role ${roles.join(' or ')}.`];
  return [...(description === undefined ? [] : [description]), ...role].join('\n\n');
}

function pathParameters({ path, params }: Operation, schemas: OpenApiSchemas): readonly JsonMembers[] {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].flatMap(([, name]) => name ?? []);
  return names.map((name) => parameter('path', name, true, params?.[name] ?? Type.String(), schemas));
}

function queryParameters({ query }: Operation, schemas: OpenApiSchemas): readonly JsonMembers[] {
  const required: readonly string[] = query?.schema.required ?? [];
  return Object.entries(query?.schema.properties ?? {}).map(([name, schema]) =>
    parameter('query', name, required.includes(name), schema, schemas),
  );
}

function headerParameters({ headers, once, responses }: Operation, schemas: OpenApiSchemas): readonly JsonMembers[] {
  const read = {
    ...headers,
    ...(once === true ? { 'Idempotency-Key': keySchema } : {}),
    ...(responses[304] === undefined ? {} : { 'If-None-Match': tagSchema }),
  };
  return Object.entries(read).map(([name, schema]) => parameter('header', name, false, schema, schemas));
}

const keySchema = Type.String({
  minLength: 1,
  maxLength: longestKey,
  description:
    'The same key with the same request within 24 hours is done once and answered the same, so that a request whose answer was lost can be sent again. Without a token it must be a random UUID.',
});

const tagSchema = Type.String({ description: 'Entity tags of answers that the caller has.' });

function parameter(
  place: string,
  name: string,
  required: boolean,
  schema: TSchema,
  schemas: OpenApiSchemas,
): JsonMembers {
  const text =
    'description' in schema && typeof schema.description === 'string' ? { description: schema.description } : {};
  return { name, in: place, required, ...text, schema: schemas.use(schema) };
}

function responsesOf(operation: Operation, schemas: OpenApiSchemas): JsonMembers {
  const told = Object.entries(operation.responses).map(([status, spec]) => [status, response(spec, schemas)] as const);
  const problems = problemStatuses(operation)
    // A probe tells its own 503, in its own words.
    .filter((status) => operation.responses[status] === undefined)
    .map((status) => [String(status), { $ref: `#/components/responses/${problemName(status)}` }] as const);
  return Object.fromEntries([...told, ...problems]);
}

function response(spec: ResponseSpec, schemas: OpenApiSchemas): JsonMembers {
  const { description, schema, mediaType, alternatives, headers } = spec;
  const others = Object.entries(alternatives ?? {}).map(([name, other]) => [name, { schema: schemas.use(other) }]);
  const described = Object.entries(headers ?? {}).map(([name, header]) => [
    name,
    { description: header.description, schema: { type: 'string' } },
  ]);
  return {
    description,
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
    ...(schema === undefined && mediaType === undefined
      ? {}
      : {
          content: {
            // Bytes have no schema.
            [mediaType ?? 'application/json']: schema === undefined ? {} : { schema: schemas.use(schema) },
            ...Object.fromEntries(others),
          },
        }),
  };
}
