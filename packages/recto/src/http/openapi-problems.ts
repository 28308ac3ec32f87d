import Type, { type TSchema } from 'typebox';
import type { ProblemStatus } from '../base/problem.ts';
import type { JsonMembers, OpenApiSchemas } from './openapi-schemas.ts';
import type { Operation } from './operation.ts';
import { problemMediaType } from './problem-response.ts';

/** The statuses of the problems that an operation can answer, ascending: those it declares and those that follow from what it takes. */
export function problemStatuses(operation: Operation): readonly DocumentedStatus[] {
  // A bad token is refused everywhere, a bad parameter too: where none is taken, every one is bad.
  const statuses = new Set<DocumentedStatus>([400, 401, 500, ...operation.problems]);
  if (operation.roles !== undefined) statuses.add(403);
  if (operation.params !== undefined) statuses.add(404);
  const { body } = operation;
  if (body !== undefined) for (const status of [413, 415] as const) statuses.add(status);
  if (body !== undefined && body.kind !== 'stream') statuses.add(422);
  // The key of a request that runs, or of another request.
  if (operation.once === true) for (const status of [409, 422] as const) statuses.add(status);
  return [...statuses].toSorted((a, b) => a - b);
}

/** 405 follows from the paths of the document. */
type DocumentedStatus = Exclude<ProblemStatus, 405>;

/** The name of a problem's entry in `components.responses`. */
export const problemName = (status: DocumentedStatus): string => problems[status].name;

/** `components.responses` for the statuses that are used. */
export function problemResponses(used: ReadonlySet<DocumentedStatus>, schemas: OpenApiSchemas): JsonMembers {
  const statuses = [...used].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description, header } = problems[status];
      const headers = header === undefined ? {} : { headers: { [header]: { schema: { type: 'string' } } } };
      const schema = schemas.use(status === 422 ? validationProblemSchema : problemSchema);
      return [name, { description, ...headers, content: { [problemMediaType]: { schema } } }];
    }),
  );
}

const problems: Readonly<Record<DocumentedStatus, { name: string; description: string; header?: string }>> = {
  400: { name: 'BadRequest', description: 'The request cannot be read: its body or a query parameter is malformed.' },
  401: {
    name: 'Unauthorized',
    description: 'The access token is missing, malformed, expired or revoked.',
    header: 'WWW-Authenticate',
  },
  403: { name: 'Forbidden', description: 'The caller is known and may not do this.' },
  404: { name: 'NotFound', description: 'There is no such record, or the caller may not see it.' },
  409: {
    name: 'Conflict',
    description:
      'What is asked for does not go with what is stored: the record has changed since the caller read it, say.',
  },
  413: { name: 'BodyTooLarge', description: 'The body is larger than the service takes.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not of a media type that is taken here.' },
  422: { name: 'ValidationFailed', description: 'The request can be read, but fields are not valid.' },
  429: { name: 'TooManyRequests', description: 'Too many requests in too short a time.', header: 'Retry-After' },
  500: { name: 'InternalError', description: 'The service failed. Its log has the reason, under the request id.' },
  503: { name: 'Unavailable', description: 'The service cannot answer at the moment.', header: 'Retry-After' },
};

const members = {
  type: Type.String({ description: 'A name for the kind of problem, a URN.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong, for a person.' }),
  code: Type.String({ description: 'What is wrong, for a program. Stable.' }),
  request_id: Type.String({ description: 'Finds the request in the log of the service.' }),
};

const problemSchema: TSchema = Type.Object(members, { $id: 'Problem', description: 'RFC 9457' });

const validationProblemSchema: TSchema = Type.Object(
  {
    ...members,
    errors: Type.Array(
      Type.Object({
        field: Type.String({ description: 'A path such as title or items[2].id.' }),
        code: Type.String(),
        message: Type.String(),
      }),
      { description: 'Every fault of the request.' },
    ),
  },
  { $id: 'ValidationProblem', description: 'RFC 9457' },
);
