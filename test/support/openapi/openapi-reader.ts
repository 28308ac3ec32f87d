import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Reply } from '../service.ts';
import type { DocumentSchema } from './schema-values.ts';

export interface DocumentedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema: DocumentSchema }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** Whether it may be sent empty, whatever its schema says. */
  readonly allowEmptyValue?: boolean;
  readonly schema: DocumentSchema;
}

interface OperationObject {
  readonly operationId: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: DocumentSchema }>>;
  };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}

/** One operation as the document describes it. */
export interface DocumentedOperation extends Omit<OperationObject, 'parameters'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly queryNames: readonly string[];
  /** Whether it takes an `Idempotency-Key`. */
  readonly takesKey: boolean;
  readonly bodySchema: DocumentSchema | undefined;
}

/** Ajv reports the path of the value that is wrong, and for one that is missing or not known the path of its object. */
function memberOf({ instancePath, params }: ErrorObject): string {
  const [, member] = instancePath.split('/');
  const name = member ?? params.missingProperty ?? params.additionalProperty;
  return String(name).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Files have any media type; uploads that are resumed have a protocol of their own; and browsers are led elsewhere. */
function isOfBytes({ path, requestBody, responses }: DocumentedOperation): boolean {
  const isUpload = requestBody !== undefined && requestBody.content['application/json'] === undefined;
  const isFile = Object.values(responses).some(({ content }) => content?.['*/*'] !== undefined);
  const isRedirect = Object.keys(responses).includes('303');
  return isUpload || isFile || isRedirect || path.startsWith('/api/v1/media/uploads');
}

/** Reads a document as a client would, with a validator of JSON Schema that is not the service's own. */
export class OpenApiReader {
  /** Those that take and return JSON, or nothing. */
  readonly operations: readonly DocumentedOperation[];
  /** Those that take or return the bytes of files, or lead a browser elsewhere, which have tests of their own. */
  readonly ofBytes: readonly DocumentedOperation[];
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({
    strictSchema: false,
    allErrors: true,
    allowUnionTypes: true,
    formats: { 'idn-email': true },
  });
  readonly #compiled = new Map<DocumentSchema, ValidateFunction>();
  readonly #whole = new Map<DocumentSchema, DocumentSchema>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', components: document.components });
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        const parameters = (operation.parameters ?? []).map((each) => this.#parameter(each));
        return {
          ...operation,
          method: method.toUpperCase(),
          path,
          parameters,
          queryNames: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
          takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
          bodySchema: operation.requestBody?.content['application/json']?.schema,
        };
      }),
    );
    this.operations = all.filter((operation) => !isOfBytes(operation));
    this.ofBytes = all.filter(isOfBytes);
  }

  operation(id: string): DocumentedOperation {
    const found = this.operations.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new Error(`The document has no operation ${id}.`);
    return found;
  }

  resolve = (reference: string): DocumentSchema => {
    const found = this.#document.components.schemas[reference.replace('#/components/schemas/', '')];
    if (found === undefined) throw new Error(`The document has nothing at ${reference}.`);
    return found;
  };

  /** What is wrong with a value; null when the schema accepts it. */
  faults(schema: DocumentSchema, value: unknown): string | null {
    const validate = this.#compiled.get(schema) ?? this.#compile(schema);
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  /** The members of an object that a schema does not accept: malformed, missing or not known. */
  faultyMembers(schema: DocumentSchema, value: object): ReadonlySet<string> {
    const validate = this.#compiled.get(schema) ?? this.#compile(schema);
    if (validate(value)) return new Set();
    return new Set((validate.errors ?? []).map(memberOf));
  }

  /**
   * How an answer differs from what the document says an operation answers; empty when it does not. Records are whole unless the request
   * `selects` fields.
   */
  differences(operation: DocumentedOperation, reply: Reply, selects = false): readonly string[] {
    const described = operation.responses[String(reply.status)];
    if (described === undefined) return [`${reply.status} is not documented: ${reply.text}`];
    const response = described.$ref === undefined ? described : this.#response(described.$ref);
    const missing = Object.entries(response.headers ?? {}).flatMap(([name, { required }]) =>
      required === true && !reply.headers.has(name) ? [name] : [],
    );
    return [
      ...missing.map((name) => `the header ${name} is missing`),
      ...this.#bodyDifferences(response, reply, selects),
    ];
  }

  #bodyDifferences({ content }: DocumentedResponse, reply: Reply, selects: boolean): readonly string[] {
    if (content === undefined) return reply.text === '' ? [] : [`a body that is not documented: ${reply.text}`];
    const mediaType = reply.headers.get('content-type')?.replace(/;.*/, '') ?? 'none';
    const schema = content[mediaType]?.schema;
    if (schema === undefined) return [`the media type is ${mediaType}, not ${Object.keys(content).join()}`];
    const described = selects ? schema : this.#ofWhole(schema);
    const faults = this.faults(described, /[/+]json$/.test(mediaType) ? reply.json : reply.text);
    return faults === null ? [] : [`${faults}: ${reply.text}`];
  }

  /** The same schema without what is only returned to requests with `fields`. */
  #ofWhole(schema: DocumentSchema): DocumentSchema {
    const known = this.#whole.get(schema);
    if (known !== undefined) return known;
    const part = /,\{"\$ref":"#\/components\/schemas\/\w+Part"\}(?=\])/g;
    const whole: DocumentSchema = JSON.parse(JSON.stringify(schema).replace(part, ''));
    this.#whole.set(schema, whole);
    return whole;
  }

  #compile(schema: DocumentSchema): ValidateFunction {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
    const validate = this.#ajv.compile(absolute);
    this.#compiled.set(schema, validate);
    return validate;
  }

  #parameter(parameter: Parameter | { readonly $ref: string }): Parameter {
    if (!('$ref' in parameter)) return parameter;
    const found = this.#document.components.parameters[parameter.$ref.replace('#/components/parameters/', '')];
    if (found === undefined) throw new Error(`The document has nothing at ${parameter.$ref}.`);
    return found;
  }

  #response(reference: string): DocumentedResponse {
    const found = this.#document.components.responses[reference.replace('#/components/responses/', '')];
    if (found === undefined) throw new Error(`The document has nothing at ${reference}.`);
    return found;
  }
}
