import { expect, test } from 'bun:test';
import type { MaybePromise } from '../../packages/recto/src/base/maybe-promise.ts';
import type { App } from '../../packages/recto/src/http/app.ts';

/** One request to an app in process, and what it must answer. */
export interface Scenario {
  /** `GET /path?query`. */
  readonly request: string;
  /** Who asks: a name that the suite's `token` knows; absent: anonymous. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are, with the same media type unless `headers` say another (`''`: none). */
  readonly body?: object | string | Uint8Array<ArrayBuffer>;
  readonly expect: ExpectedAnswer;
  /** What else must hold afterwards. */
  readonly after?: (answer: ReceivedAnswer) => MaybePromise<void>;
}

export interface ExpectedAnswer {
  readonly status: number;
  /** The members that the JSON body must have at least. */
  readonly body?: object;
  /** The whole body: JSON, or text. */
  readonly exactBody?: object | string;
  readonly bodyContains?: readonly string[];
  /** None of these stands anywhere in the body. */
  readonly bodyLacks?: readonly string[];
  /** A problem's `code`. */
  readonly code?: string;
  /** A validation problem's faults, all of them: field → code. */
  readonly errors?: Readonly<Record<string, string>>;
  /** A value, a pattern, or null for a header that must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
}

export interface ReceivedAnswer {
  readonly response: Response;
  readonly text: string;
  /** Undefined where the answer is not JSON. */
  readonly json: unknown;
}

export interface ScenarioSetup {
  /** Asked when a scenario runs, so that the app may be made in `beforeAll`. */
  readonly app: () => MaybePromise<App>;
  /** The bearer token of a caller that scenarios name in `as`. */
  readonly token?: (as: string) => MaybePromise<string>;
}

/**
 * Makes the `scenario` of a suite, a test that sends one request:
 *
 * ```ts
 * const scenario = scenarios({ app: () => app, token: (name) => tokens[name] });
 * scenario('an anonymous caller may not delete', { request: 'DELETE /api/v1/pages/x', expect: { status: 401 } });
 * ```
 */
export function scenarios(setup: ScenarioSetup): (name: string, scenario: Scenario) => void {
  return (name, scenario) => {
    test(name, async () => {
      const answer = await send(setup, scenario);
      checkAnswer(answer, scenario.expect);
      await scenario.after?.(answer);
    });
  };
}

async function send({ app, token }: ScenarioSetup, { request, as, headers, body }: Scenario): Promise<ReceivedAnswer> {
  const space = request.indexOf(' ');
  const sent = new Headers(body === undefined ? {} : { 'Content-Type': 'application/json' });
  if (as !== undefined) {
    if (token === undefined) throw new Error(`The suite knows no token for "${as}".`);
    sent.set('Authorization', `Bearer ${await token(as)}`);
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === '') sent.delete(name);
    else sent.set(name, value);
  }
  const bytes = body === undefined ? null : encodedBody(body);
  const init = { method: request.slice(0, space), headers: sent, body: bytes };
  const response = await (await app()).fetch(new Request(`http://recto.test${request.slice(space + 1)}`, init));
  const text = await response.clone().text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { response, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Bytes, because a text as body would bring a media type of its own. */
function encodedBody(body: NonNullable<Scenario['body']>): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

function checkAnswer({ response, text, json }: ReceivedAnswer, expected: ExpectedAnswer): void {
  // The status with the body, so that a failure shows why.
  expect({ status: response.status, text }).toEqual({ status: expected.status, text });
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
  if (response.status >= 400 && json !== undefined) checkProblem(response, json);
  if (expected.body !== undefined) expect(json).toMatchObject(expected.body);
  if (typeof expected.exactBody === 'string') expect(text).toBe(expected.exactBody);
  else if (expected.exactBody !== undefined) expect(json).toEqual(expected.exactBody);
  for (const piece of expected.bodyContains ?? []) expect(text).toContain(piece);
  for (const piece of expected.bodyLacks ?? []) expect(text).not.toContain(piece);
  if (expected.code !== undefined) expect(json).toMatchObject({ code: expected.code });
  if (expected.errors !== undefined) expect(faultsOf(json)).toEqual(expected.errors);
  for (const [name, value] of Object.entries(expected.headers ?? {})) checkHeader(response.headers.get(name), value);
}

/** What every problem has (RFC 9457). A probe's 503 is an answer of its own, not a problem. */
function checkProblem(response: Response, json: unknown): void {
  if (response.headers.get('content-type') !== 'application/problem+json') {
    expect(response.status).toBe(503);
    return;
  }
  const requestId = response.headers.get('x-request-id');
  expect(json).toMatchObject({ status: response.status, request_id: requestId });
  expect(json).toMatchObject({ type: expect.any(String), title: expect.any(String), detail: expect.any(String) });
}

function checkHeader(value: string | null, expected: string | RegExp | null): void {
  if (expected instanceof RegExp) expect(value).toMatch(expected);
  else expect(value).toBe(expected);
}

function faultsOf(json: unknown): Readonly<Record<string, string>> {
  const errors = typeof json === 'object' && json !== null && 'errors' in json ? json.errors : [];
  // A validation problem's errors; anything else fails the comparison that follows.
  return Object.fromEntries((errors as { field: string; code: string }[]).map(({ field, code }) => [field, code]));
}
