import Type, { type TObject } from 'typebox';
import { mapMaybe } from '../../base/maybe-promise.ts';
import { listComments } from '../../builtin/list-comments.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { QueryReader } from '../../http/query-reader.ts';
import { unchanged } from '../../http/shared-responses.ts';
import type { Records } from '../../records/records.ts';
import { fieldsParameter } from '../records/parameters/fields-parameter.ts';
import { includeParameter } from '../records/parameters/include-parameter.ts';
import { expressionParameter, skipTotalParameter } from '../records/parameters/query-schemas.ts';
import { commonProblems, jsonResponse, own } from '../records/record-operation.ts';
import { readResponse } from '../records/record-response.ts';
import { movedResponse } from '../records/redirects/moved-response.ts';
import { slugParameter, threadsSchema } from './comment-schemas.ts';
import { orMovedPost } from './moved-post.ts';

/** `GET /api/v1/posts/{slug}/comments`: the approved comments of a published post, replies below what they answer. */
export function listThreadsOperation(type: ContentType, records: Records): Operation {
  return {
    id: 'listPostComments',
    method: 'GET',
    path: '/api/v1/posts/{slug}/comments',
    tag: type.name,
    summary: 'List the comments of a post',
    description:
      'Only approved comments, the same for everyone: those that begin a thread, oldest first, each with its replies. A page counts threads, `total` counts all comments.',
    security: 'none',
    params: { slug: slugParameter },
    query: own(() => documented(type, records.types)),
    responses: {
      200: jsonResponse('A page of threads.', () => threadsSchema(type, records.types)),
      304: unchanged,
      308: movedResponse,
    },
    problems: commonProblems(404),
    handle(request) {
      const query = reader.read(request.search);
      const { include = '', fields = '', filter = '', skip_total } = query;
      const asked = {
        slug: request.param('slug'),
        skipTotal: skip_total === true,
        include: String(include),
        fields: String(fields),
        filter: String(filter),
      };
      const page = readPage(query, records.limits.maxPageSize);
      return orMovedPost(records, request, () =>
        mapMaybe(listComments(records, { ...asked, ...page }), (answer) => readResponse(answer, request)),
      );
    },
  };
}

const parameters = {
  ...pageParameters,
  skip_total: Type.Optional(skipTotalParameter),
  filter: Type.Optional(expressionParameter),
};

const text = Type.Optional(Type.String());

const reader = new QueryReader(Type.Object({ ...parameters, include: text, fields: text }));

/** `include` and `fields` name those of the service's types. */
function documented(type: ContentType, types: ContentTypes): TObject {
  const include = includeParameter(type, 'get', types);
  return Type.Object({
    ...parameters,
    ...(include === undefined ? {} : { include: Type.Optional(include) }),
    fields: Type.Optional(fieldsParameter(type, 'get')),
  });
}
