import type { FieldFault, Problem, ProblemStatus } from '../../base/problem.ts';
import { truncate } from '../../base/truncate.ts';

/**
 * A problem in the format of RFC 9457: `type` (a name for the kind of problem, `urn:recto:problem:{code}`, not an address),
 * `title`, `status`, `detail`, `code`, `request_id`, and the field errors if any.
 */
export function problemResponse(problem: Problem, requestId: string): Response {
  const body = {
    type: `urn:recto:problem:${problem.code}`,
    title: problemTitles[problem.status],
    status: problem.status,
    detail: truncate(problem.message, longest.detail),
    code: problem.code,
    request_id: requestId,
    ...(problem.position === undefined ? {} : { position: problem.position }),
    ...(problem.path === undefined ? {} : { path: truncate(problem.path, longest.field) }),
    ...(problem.errors === undefined ? {} : { errors: problem.errors.map(bounded) }),
    ...(problem.places === undefined ? {} : { places: problem.places }),
    ...problem.members,
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { 'Content-Type': problemMediaType, 'Cache-Control': 'no-cache', ...problem.headers },
  });
}

/** Characters of each text. Messages repeat what was sent, and list what would be right; neither may fill an answer. */
const longest = { detail: 4_000, field: 300, message: 1_000 };

const bounded = ({ field, code, message }: FieldFault): FieldFault => ({
  field: truncate(field, longest.field),
  code,
  message: truncate(message, longest.message),
});

export const problemMediaType = 'application/problem+json';

/** What each status means, as its problems say it. */
export const problemTitles = {
  400: 'Bad request',
  401: 'Authentication required',
  403: 'Access denied',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Body too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Validation failed',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
  507: 'Insufficient storage',
} as const satisfies Record<ProblemStatus, string>;
