import { describe, expect, test } from 'bun:test';
import { TestService } from '../../../../../test/support/service.ts';
import { openApiDocument } from '../../http/openapi/openapi-document.ts';
import { recordSchemaLookup } from './record-schemas.ts';

const type = (singular: string, fields: readonly object[] = []) => ({
  singular,
  plural: `${singular}-plural`,
  fields: [{ name: 'hidden', field_type: 'text', private: true }, ...fields],
});

describe('names in the document', () => {
  test.each([
    [['foo-bar', 'foo_bar', 'foobar']],
    [['article', 'admin-article', 'article-admin', 'article-record', 'article-records']],
    [['user', 'api-token', 'page-record', 'problem', 'comment-thread']],
    [['a-1', 'a1', 'a_1']],
  ])('no two of %j share one, nor meet one of the product', async (singulars) => {
    await using service = await TestService.open(
      singulars.map((singular) => type(singular)),
      { builtIn: true },
    );
    const document = openApiDocument(
      service.operations,
      { title: 'Recto', version: '0' },
      { schema: recordSchemaLookup(service.types) },
    );
    const paths = Object.values(Object(document).paths).flatMap((methods) => Object.values(Object(methods)));
    const ids = paths.map((operation) => Reflect.get(Object(operation), 'operationId'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(singulars.length * 10);
  });
});
