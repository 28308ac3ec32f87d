import Type from 'typebox';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { type Answer, answerOf, namesTag } from '../../records/answers/answer.ts';
import type { Operation } from '../operation.ts';
import type { JsonMembers } from './openapi-schemas.ts';

export const openApiPath = '/api/v1/openapi.json';

/** `GET /api/v1/openapi.json`. The document is generated on the first request and kept. */
export function openApiOperation(document: () => MaybePromise<JsonMembers>): Operation {
  let made: Promise<Answer> | undefined;
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
      304: { description: 'The client has the current document already (`If-None-Match`).' },
    },
    problems: [],
    async handle({ request }) {
      made ??= makeAnswer(document).catch((error) => {
        made = undefined;
        throw error;
      });
      const { body, etag } = await made;
      const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
      const known = request.headers.get('if-none-match');
      if (known !== null && namesTag(known, etag, 'weak')) return new Response(null, { status: 304, headers });
      return new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } });
    },
  };
}

const makeAnswer = async (document: () => MaybePromise<JsonMembers>): Promise<Answer> =>
  answerOf(JSON.stringify(await document()));
