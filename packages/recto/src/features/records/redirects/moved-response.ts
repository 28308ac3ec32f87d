import Type from 'typebox';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Problem } from '../../../base/problem.ts';
import type { ResponseSpec } from '../../../http/operation.ts';
import type { MovedRequest } from '../../../records/read/former-slugs.ts';
import type { Records } from '../../../records/records.ts';

/** The response of routes with a slug to a former one. */
export const movedResponse: ResponseSpec = {
  description: 'The record has another slug now.',
  schema: Type.Object(
    { moved_to: Type.String({ description: 'The slug that the record has now.' }) },
    { $id: 'Moved', additionalProperties: false },
  ),
  headers: { Location: { description: 'The same address with the slug that the record has now.' } },
};

export interface SluggedRequest extends MovedRequest {
  /** The address of the route, with `{slug}`. */
  readonly path: string;
  /** The query string of the address; absent: `search`. */
  readonly sent?: string;
}

/**
 * Answers a request whose path has a slug. Where nothing is found by it, a former slug of a record that the caller sees gets 308; any other
 * gets the 404 of an unknown one.
 */
export function orMoved(
  records: Records,
  request: SluggedRequest,
  respond: () => MaybePromise<Response>,
): MaybePromise<Response> {
  const moved = (error: unknown) => redirect(records, request, error);
  try {
    const response = respond();
    return response instanceof Promise ? response.catch(moved) : response;
  } catch (error) {
    return moved(error);
  }
}

async function redirect(
  records: Records,
  { path, sent, ...request }: SluggedRequest,
  error: unknown,
): Promise<Response> {
  if (!(error instanceof Problem) || error.status !== 404) throw error;
  const slug = await records.movedTo(request);
  if (slug === undefined) throw error;
  const search = sent ?? request.search;
  const address = path.replace('{slug}', () => encodeURIComponent(slug));
  const headers = {
    'Content-Type': 'application/json',
    // The record may be renamed again, or hidden.
    'Cache-Control': 'no-cache',
    Location: search === '' ? address : `${address}?${search}`,
  };
  return new Response(JSON.stringify({ moved_to: slug }), { status: 308, headers });
}
