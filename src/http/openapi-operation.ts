import Type from 'typebox';
import { answerOf, namesTag } from '../records/answer.ts';
import type { JsonMembers } from './openapi-schemas.ts';
import type { Operation } from './operation.ts';

export const openApiPath = '/api/v1/openapi.json';

/** `GET /api/v1/openapi.json`. The document is made at the first request and kept. */
export function openApiOperation(document: () => JsonMembers): Operation {
  let kept: ReturnType<typeof answerOf> | undefined;
  return {
    id: 'getOpenApiDocument',
    method: 'GET',
    path: openApiPath,
    tag: 'service',
    summary: 'The description of this interface (OpenAPI 3.1)',
    security: 'none',
    responses: {
      200: {
        description: 'The document.',
        schema: Type.Object({ openapi: Type.String() }),
        headers: { ETag: { description: 'Entity tag of the document.' } },
      },
      304: { description: 'The caller has this document already (`If-None-Match`).' },
    },
    problems: [],
    handle({ request }) {
      kept ??= answerOf(JSON.stringify(document()));
      const headers = { ETag: kept.etag, 'Cache-Control': 'no-cache' };
      const known = request.headers.get('if-none-match');
      if (known !== null && namesTag(known, kept.etag, 'weak')) return new Response(null, { status: 304, headers });
      return new Response(kept.body, { headers: { 'Content-Type': 'application/json', ...headers } });
    },
  };
}
