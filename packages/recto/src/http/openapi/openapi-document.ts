import type { Operation, ResponseSpec } from '../operation.ts';
import { answersPatch } from '../route-table.ts';
import { OpenApiParameters } from './openapi-parameters.ts';
import { problemName, problemResponses, problemStatuses } from './openapi-problems.ts';
import { requestBody } from './openapi-request-body.ts';
import { type JsonMembers, OpenApiSchemas, type SchemaLookup } from './openapi-schemas.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: { readonly name: string; readonly identifier: string };
}

/** What the operations refer to by name. */
export interface OpenApiNames {
  readonly schema?: SchemaLookup;
  /** The description of a tag. */
  readonly tag?: (name: string) => string | undefined;
}

/** The OpenAPI 3.1.0 document of the operations: plain JSON, the same for the same operations in any order. Throws for two operations with the same id. */
export function openApiDocument(
  operations: readonly Operation[],
  info: OpenApiInfo,
  names: OpenApiNames = {},
): JsonMembers {
  const schemas = new OpenApiSchemas(names.schema);
  const parameters = new OpenApiParameters(schemas);
  const paths: Record<string, JsonMembers> = {};
  for (const operation of operations.toSorted(byPathAndMethod)) {
    const item = { ...paths[operation.path], ...pathItem(operation, schemas, parameters) };
    paths[operation.path] = item;
  }
  rejectDuplicateIds(operations);
  const statuses = new Set(operations.flatMap(problemStatuses));
  const responses = problemResponses(statuses, schemas);
  return {
    openapi: '3.1.0',
    info: { ...info },
    // Relative to the address of the document, so that it holds behind every proxy.
    servers: [{ url: '/', description: 'This service' }],
    tags: tagsOf(operations, names),
    paths,
    components: {
      schemas: schemas.components(),
      parameters: parameters.components(),
      responses,
      securitySchemes,
    },
  };
}

function tagsOf(operations: readonly Operation[], { tag }: OpenApiNames): readonly JsonMembers[] {
  return [...new Set(operations.map((operation) => operation.tag))].toSorted().map((name) => {
    const description = tag?.(name);
    return description === undefined ? { name } : { name, description };
  });
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

function rejectDuplicateIds(operations: readonly Operation[]): void {
  const ids = new Set<string>();
  for (const { id } of operations) {
    if (ids.has(id)) throw new Error(`Two operations have the id ${id}.`);
    ids.add(id);
  }
}

function pathItem(operation: Operation, schemas: OpenApiSchemas, parameters: OpenApiParameters): JsonMembers {
  const description = operationObject(operation, schemas, parameters);
  const item = { [operation.method.toLowerCase()]: description };
  return answersPatch(operation) ? { ...item, patch: { ...description, operationId: `${operation.id}Patch` } } : item;
}

function operationObject(operation: Operation, schemas: OpenApiSchemas, shared: OpenApiParameters): JsonMembers {
  const { id, tag, summary, body } = operation;
  const description = descriptionOf(operation);
  const parameters = shared.of(operation);
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
  const role = roles === undefined ? [] : [`Requires the role ${roles.join(' or ')}.`];
  return [...(description === undefined ? [] : [description]), ...role].join('\n\n');
}

function responsesOf(operation: Operation, schemas: OpenApiSchemas): JsonMembers {
  const declared = Object.entries(operation.responses).map(
    ([status, spec]) => [status, response(spec, schemas)] as const,
  );
  const problems = problemStatuses(operation)
    // A probe has a 503 of its own, without a problem.
    .filter((status) => operation.responses[status] === undefined)
    .map((status) => [String(status), { $ref: `#/components/responses/${problemName(status)}` }] as const);
  return Object.fromEntries([...declared, ...problems]);
}

function response(spec: ResponseSpec, schemas: OpenApiSchemas): JsonMembers {
  const { description, schema, mediaType, alternatives, headers } = spec;
  const others = Object.entries(alternatives ?? {}).map(([name, other]) => [name, { schema: schemas.use(other) }]);
  const described = Object.entries(headers ?? {}).map(([name, header]) => [
    name,
    { description: header.description, required: header.optional !== true, schema: { type: 'string' } },
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
