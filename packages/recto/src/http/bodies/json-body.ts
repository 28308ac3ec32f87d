import { badRequest, type Problem } from '../../base/problem.ts';
import { truncate } from '../../base/truncate.ts';
import { jsonPlaces, plainJson } from '../../definition/json-places.ts';
import { type BodyLimits, bodyBytes, rejectEncoding, unsupportedMediaType } from './body-bytes.ts';
import type { JsonBody } from './body-spec.ts';
import { nestsDeeperThan } from './json-nesting.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Levels of arrays and objects within each other that a body may have. */
export const maxNesting = 64;

/**
 * A request's JSON body, an object. Rejects what cannot be read: 415 for another media type, 413 for one that is too large, 408 for one
 * that takes too long, 400 for one that is missing, not UTF-8, not JSON, nested too deep, or no object, or that repeats a name where
 * that is an error.
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimits,
  { repeatedNames }: Pick<JsonBody, 'repeatedNames'> = {},
): Promise<JsonObject> {
  const mediaType = request.headers.get('content-type');
  if (mediaType !== null && !isJson(mediaType))
    throw unsupportedMediaType('The body must be of the media type application/json, in UTF-8.');
  rejectEncoding(request);
  const bytes = await bodyBytes(request, limits);
  if (bytes.length === 0) throw badRequest('body_missing', 'A JSON object is expected as the body.');
  if (mediaType === null) throw unsupportedMediaType('The body needs the header "Content-Type: application/json".');
  return parseObject(bytes, repeatedNames === 'refused');
}

/** `application/json` or a type that ends in `+json` (RFC 6839, section 3.1); other parameters than the charset have no meaning. */
function isJson(mediaType: string): boolean {
  if (mediaType === 'application/json') return true;
  if (!/^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i.test(mediaType)) return false;
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(mediaType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function parseObject(bytes: Uint8Array, once: boolean): JsonObject {
  if (nestsDeeperThan(maxNesting, bytes)) {
    throw badRequest('nested_too_deep', `The body nests arrays and objects more than ${maxNesting} levels deep.`);
  }
  const text = decode(bytes);
  const value = parse(text);
  if (once && plainJson(text) === undefined) throw repeatedName(text);
  if (!isObject(value)) throw badRequest('body_not_object', 'The body must be a JSON object.');
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('malformed_encoding', 'The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest('malformed_json', `The body is not valid JSON${reason(error)}.`);
  }
}

function repeatedName(text: string): Problem {
  const path = jsonPlaces(text).repeated?.path ?? '';
  return badRequest('malformed_json', `The body has the member "${truncate(path, 64)}" twice.`);
}

/** What the parser found, such as `: Unterminated string`. It has no position, and sometimes a piece of the text, which is left out if long. */
function reason(error: unknown): string {
  const found = error instanceof Error ? /^JSON Parse error: (.{1,80})$/s.exec(error.message)?.[1] : undefined;
  return found === undefined ? '' : `: ${found}`;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
