import { describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import Type from 'typebox';
import { sampleApp, sampleOperations } from '../../../../../test/support/sample-app.ts';
import type { Operation } from '../operation.ts';
import { openApiDocument } from './openapi-document.ts';
import { openApiOperation } from './openapi-operation.ts';

const info = { title: 'Samples', version: '1.2.3' };
const operations = [...sampleOperations, openApiOperation(() => ({}))];
// Looked into as a reader of the document would; a wrong path fails the test.
const document = JSON.parse(JSON.stringify(openApiDocument(operations, info)));

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('is plain JSON', () => {
    expect(openApiDocument(operations, info)).toEqual(document);
  });

  test('is the same in whatever order the operations are declared', () => {
    expect(JSON.stringify(openApiDocument(operations.toReversed(), info))).toBe(JSON.stringify(document));
  });

  test('has every operation, PATCH beside PUT', () => {
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual([...operations.map(({ id }) => id), 'putPagePatch'].toSorted());
    expect(document.paths['/pages/{slug}'].patch.requestBody).toEqual(document.paths['/pages/{slug}'].put.requestBody);
  });

  test('refers to a schema with an $id wherever it is used', () => {
    const thing = { $ref: '#/components/schemas/Thing' };
    expect(document.paths['/things'].post.requestBody.content['application/json'].schema).toEqual(thing);
    expect(document.paths['/things/{id}'].get.responses[200].content['application/json'].schema).toEqual(thing);
    expect(document.components.schemas.Thing).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(document)).not.toContain('$id');
  });

  test('lists parameters', () => {
    expect(document.paths['/things/{id}'].get.parameters).toContainEqual({
      name: 'id',
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    });
    expect(document.paths['/needy'].get.parameters).toEqual([
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
    ]);
    expect(document.paths['/filtered'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'text', required: false, description: 'Words.' }),
    );
  });

  test('has the headers of requests', () => {
    const resolved = (parameter: { $ref?: string }) =>
      parameter.$ref === undefined ? parameter : document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
    const headersOf = (parameters: readonly { $ref?: string }[] = []) =>
      parameters.map(resolved).flatMap((each) => (each.in === 'header' ? [[each.name, each.required]] : []));
    expect(headersOf(document.paths['/things/{id}'].get.parameters)).toEqual([['If-None-Match', false]]);
    expect(headersOf(document.paths['/things/{id}'].delete.parameters)).toEqual([['If-Match', false]]);
    expect(headersOf(document.paths['/things'].post.parameters)).toEqual([['Idempotency-Key', false]]);
    expect(headersOf(document.paths['/member'].get.parameters)).toEqual([]);
  });

  test('writes a shared parameter once', () => {
    expect(document.paths['/things'].post.parameters).toContainEqual({
      $ref: '#/components/parameters/IdempotencyKey',
    });
    expect(document.components.parameters.IdempotencyKey).toMatchObject({ name: 'Idempotency-Key', in: 'header' });
    expect(JSON.stringify(document)).not.toContain('"component"');
  });

  test('names its license, its server and what its tags stand for', () => {
    const named = openApiDocument(
      operations,
      { ...info, license: { name: 'MIT', identifier: 'MIT' } },
      { tag: (name) => (name === 'service' ? 'The service.' : undefined) },
    );
    expect(named.info).toEqual({ ...info, license: { name: 'MIT', identifier: 'MIT' } });
    expect(named.servers).toEqual([{ url: '/', description: 'This service' }]);
    expect(named.tags).toContainEqual({ name: 'service', description: 'The service.' });
  });

  test('says who may call', () => {
    expect(document.components.securitySchemes).toEqual({ bearer_auth: { type: 'http', scheme: 'bearer' } });
    expect(document.paths['/sync'].get.security).toEqual([]);
    expect(document.paths['/optional'].get.security).toEqual([{}, { bearer_auth: [] }]);
    expect(document.paths['/member'].get.security).toEqual([{ bearer_auth: [] }]);
    expect(document.paths['/things/{id}'].delete.description).toBe('Requires the role admin or editor.');
  });

  const answers: readonly (readonly [path: string, method: string, statuses: readonly string[]])[] = [
    ['/sync', 'get', ['200', '400', '401', '500']],
    ['/things/{id}', 'get', ['200', '304', '400', '401', '404', '500']],
    ['/things/{id}', 'delete', ['204', '400', '401', '403', '404', '409', '500']],
    ['/things', 'post', ['200', '400', '401', '409', '413', '415', '422', '500']],
    ['/away', 'get', ['200', '400', '401', '500', '503']],
  ];
  for (const [path, method, statuses] of answers) {
    test(`lists the responses of ${method} ${path}`, () => {
      expect(Object.keys(document.paths[path][method].responses)).toEqual([...statuses]);
    });
  }

  test('describes problems as problems', () => {
    const { responses } = document.components;
    const schemaOf = (name: string) => responses[name].content['application/problem+json'].schema.$ref;
    expect(schemaOf('NotFound')).toBe('#/components/schemas/Problem');
    expect(schemaOf('ValidationFailed')).toBe('#/components/schemas/ValidationProblem');
    expect(responses.Unauthorized.headers).toHaveProperty('WWW-Authenticate');
    expect(document.components.schemas.ValidationProblem.required).toContain('errors');
  });

  const [first] = sampleOperations;
  const second = (more: Partial<Operation>): Operation => ({ ...(first as Operation), path: '/second', ...more }); // there is a first one
  const respond = (schema: Type.TSchema) => ({ responses: { 200: { description: '', schema } } });

  test('rejects two operations of one id', () => {
    expect(() => openApiDocument([...sampleOperations, second({})], info)).toThrow(
      'Two operations have the id getBySlug.',
    );
  });

  test('rejects two schemas of one $id', () => {
    const other = second({ id: 'second', ...respond(Type.String({ $id: 'Thing' })) });
    expect(() => openApiDocument([...sampleOperations, other], info)).toThrow('Two schemas have the $id Thing.');
  });

  test('rejects two parameters of one component', () => {
    const query = (schema: Type.TSchema) => ({
      query: { schema: Type.Object({ q: schema }), validation: 'own' } as const,
    });
    const [one, other] = [Type.String({ component: 'Q' }), Type.Integer({ component: 'Q' })];
    const both = [second({ id: 'one', ...query(one) }), second({ id: 'other', path: '/other', ...query(other) })];
    expect(() => openApiDocument(both, info)).toThrow('Two parameters are the component Q.');
  });

  test('looks up what is only referenced, also from there', () => {
    const reference = (name: string) => Type.Unsafe({ $ref: name });
    const named = new Map<string, Type.TSchema>([
      ['A', Type.Object({ b: reference('B') }, { $id: 'A' })],
      ['B', Type.Object({ a: reference('A') }, { $id: 'B' })],
    ]);
    const operation = second(respond(reference('A')));
    const { components } = JSON.parse(
      JSON.stringify(openApiDocument([operation], info, { schema: (name) => named.get(name) })),
    );
    expect(components.schemas.A.properties.b).toEqual({ $ref: '#/components/schemas/B' });
    expect(components.schemas.B.properties.a).toEqual({ $ref: '#/components/schemas/A' });
    expect(() => openApiDocument([operation], info)).toThrow('There is no schema with the $id A.');
  });

  test('serializes lists with commas, and objects as parameters of their own', () => {
    const query = Type.Object({ list: Type.Array(Type.String()), object: Type.Record(Type.String(), Type.String()) });
    const operation = second({ query: { schema: query, validation: 'own' } });
    const { paths } = JSON.parse(JSON.stringify(openApiDocument([operation], info)));
    expect(paths['/second'].get.parameters).toMatchObject([
      { name: 'list', style: 'form', explode: false },
      { name: 'object', style: 'form', explode: true },
    ]);
  });

  test('finds named schemas within others, and leaves data alone', () => {
    const part = Type.Object({ $id: Type.String(), $ref: Type.String() }, { $id: 'Part', default: { $id: 'x' } });
    const whole = second({ ...respond(Type.Array(Type.Union([part, Type.Null()]))) });
    const { components, paths } = JSON.parse(JSON.stringify(openApiDocument([whole], info)));
    expect(components.schemas.Part).toEqual({
      type: 'object',
      required: ['$id', '$ref'],
      properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
      default: { $id: 'x' },
    });
    expect(paths['/second'].get.responses[200].content['application/json'].schema).toEqual({
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
    });
  });
});

describe('the operation that serves it', () => {
  test('makes it once, and not again for who has it', async () => {
    let made = 0;
    const operation = openApiOperation(() => ({ openapi: '3.1.0', made: ++made }));
    const app = sampleApp({ operations: [operation] });
    const get = (headers: Record<string, string> = {}) =>
      app.fetch(new Request('http://x/api/v1/openapi.json', { headers }));
    const response = await get();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ openapi: '3.1.0', made: 1 });
    const etag = response.headers.get('etag') ?? '';
    expect((await get({ 'If-None-Match': `"other", W/${etag}` })).status).toBe(304);
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect(made).toBe(1);
  });
});
