import Type, { type TSchema } from 'typebox';
import type { ProblemStatus } from '../../base/problem.ts';
import type { Operation } from '../operation.ts';
import { problemMediaType } from '../responses/problem-response.ts';
import type { JsonMembers, OpenApiSchemas } from './openapi-schemas.ts';

/** The statuses of the problems that an operation can return, ascending: those it declares and those that follow from its input. */
export function problemStatuses(operation: Operation): readonly DocumentedStatus[] {
  // A bad token is an error everywhere, and so is a bad parameter: an operation without parameters rejects every one.
  const statuses = new Set<DocumentedStatus>([400, 401, 500, ...operation.problems]);
  if (operation.roles !== undefined || operation.stepUp !== undefined) statuses.add(403);
  if (operation.params !== undefined) statuses.add(404);
  const { body } = operation;
  if (body !== undefined) for (const status of [413, 415] as const) statuses.add(status);
  if (body !== undefined && body.kind !== 'stream') statuses.add(422);
  // The key of a request that runs, or of another request.
  if (operation.once === true) for (const status of [409, 422] as const) statuses.add(status);
  return [...statuses].toSorted((a, b) => a - b);
}

/** 405 follows from the paths of the document, 408 from how the request was sent. */
type DocumentedStatus = Exclude<ProblemStatus, 405 | 408>;

/** The name of a problem's entry in `components.responses`. */
export const problemName = (status: DocumentedStatus): string => problems[status].name;

/** `components.responses` for the statuses that are used. */
export function problemResponses(used: ReadonlySet<DocumentedStatus>, schemas: OpenApiSchemas): JsonMembers {
  const statuses = [...used].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description, header } = problems[status];
      const headers =
        header === undefined ? {} : { headers: { [header]: { required: true, schema: { type: 'string' } } } };
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
  403: { name: 'Forbidden', description: 'The caller is authenticated and may not do this.' },
  404: { name: 'NotFound', description: 'The record does not exist, or the caller may not see it.' },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with what is stored. The record may have changed since the caller read it.',
  },
  412: { name: 'UnsupportedVersion', description: 'The service does not speak this version of the protocol.' },
  413: { name: 'BodyTooLarge', description: 'The body is larger than the service accepts.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body does not have a media type that this operation accepts.',
  },
  416: { name: 'RangeNotSatisfiable', description: 'The file has no bytes in that range.', header: 'Content-Range' },
  422: { name: 'ValidationFailed', description: 'The request can be read, but some fields are not valid.' },
  429: { name: 'TooManyRequests', description: 'Too many requests in a short time.', header: 'Retry-After' },
  500: { name: 'InternalError', description: 'The service failed. Its log has the reason under the request id.' },
  503: { name: 'Unavailable', description: 'The service cannot answer at the moment.', header: 'Retry-After' },
  507: { name: 'InsufficientStorage', description: 'There is no space left for files. Nothing was stored.' },
};

const members = {
  type: Type.String({ description: 'A name for the kind of problem, a URN.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong, for people.' }),
  code: Type.String({ description: 'What is wrong, for programs. Stable.' }),
  request_id: Type.String({ description: 'Finds the request in the log of the service.' }),
};

const position = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Of an error in a `filter`: the character at which it is.' }),
);

const path = Type.Optional(
  Type.String({
    description: 'Of an error in a `filter` that is a JSON object: the member, such as `$or[1].views.gt`.',
  }),
);

/** A record that shows a file, and where. */
export const usePlaceSchema = Type.Object({
  type: Type.String(),
  id: Type.String(),
  field: Type.String(),
  places: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Where in a structured field, such as `body[2].picture`: the first of them.',
    }),
  ),
});

const places = Type.Optional(
  Type.Array(usePlaceSchema, {
    description: 'Of a file that is in use: the records that use it, with the field.',
  }),
);

/** Members of the 403 `second_factor_required` and `step_up_required`. */
const proofs = {
  challenge: Type.Optional(
    Type.String({ description: 'Of `second_factor_required`: what `POST /api/v1/auth/second-factor` takes.' }),
  ),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds until the challenge expires.' })),
  methods: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of `second_factor_required` and `step_up_required`: the ways to give the proof.',
    }),
  ),
  options: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'For a passkey: what `parseRequestOptionsFromJSON` takes in browsers.',
      },
    ),
  ),
};

const problemSchema: TSchema = Type.Object(
  { ...members, position, path, places, ...proofs },
  { $id: 'Problem', description: 'RFC 9457' },
);

const validationProblemSchema: TSchema = Type.Object(
  {
    ...members,
    errors: Type.Array(
      Type.Object({
        field: Type.String({ description: 'A path such as title or items[2].id.' }),
        code: Type.String(),
        message: Type.String(),
      }),
      { description: 'Every error of the request.' },
    ),
  },
  { $id: 'ValidationProblem', description: 'RFC 9457' },
);
