import Type from 'typebox';
import { anonymous } from '../../base/caller.ts';
import { mapMaybe } from '../../base/maybe-promise.ts';
import { listTags } from '../../builtin/tag-counts.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { pageSchema, unchanged } from '../../http/shared-responses.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems } from '../records/record-operation.ts';
import { readResponse } from '../records/record-response.ts';

/** `GET /api/v1/tags`: the tags of published posts. */
export function tagsOperation(type: ContentType, records: Records): Operation {
  return {
    id: 'listTags',
    method: 'GET',
    path: '/api/v1/tags',
    tag: type.name,
    summary: 'List the tags of published posts',
    description:
      'The most used first. Tags that differ in letter case alone are one, with the spelling that most posts use. `GET /api/v1/posts?tag=` takes the name or the slug.',
    security: 'none',
    query: { schema: Type.Object(pageParameters), validation: 'schema' },
    responses: { 200: { description: 'A page of tags.', schema: pageSchema('TagList', tagSchema) }, 304: unchanged },
    problems: commonProblems(),
    handle: (context) =>
      mapMaybe(
        listTags(
          records,
          { type, audience: 'public', caller: anonymous },
          readPage(context.query, records.limits.maxPageSize),
        ),
        (answer) => readResponse(answer, context),
      ),
  };
}

export const tagSchema = Type.Object(
  {
    name: Type.String(),
    slug: Type.String({ description: 'The name in addresses. Tags such as `C` and `C++` share one.' }),
    count: Type.Integer({ minimum: 1, description: 'How many records have it.' }),
  },
  { additionalProperties: false },
);
