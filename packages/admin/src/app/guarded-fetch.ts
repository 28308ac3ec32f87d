import type { FactorMethod, FactorRequest } from '../api/sign-in-offer.ts';
import { t } from '../text/text.ts';
import { type StepUpMethod, stepUp } from './step-up.svelte.ts';
import { viewedRole } from './viewed-role.svelte.ts';

/** What a 403 may ask for besides saying no. */
interface Problem {
  readonly code?: unknown;
  readonly [member: string]: unknown;
}

interface Listeners {
  /** The account has to have a second factor first. */
  onsetup(): void;
  /** The password was right; this is to follow. */
  onfactor(request: FactorRequest): void;
}

const methodNames = ['password', 'passkey', 'totp', 'recovery_code'];
const isMethod = (value: unknown): value is StepUpMethod => methodNames.some((name) => name === value);
const methodsOf = ({ methods }: Problem): readonly StepUpMethod[] =>
  Array.isArray(methods) ? methods.filter(isMethod) : [];

/**
 * Sends the requests of the admin. Where the service wants to know first that it is still the same person, that is asked, and the request is
 * sent once more. Whoever says no gets the service's refusal, with what that means.
 */
export function guardedFetch({ onsetup, onfactor }: Listeners): (request: Request) => Promise<Response> {
  return async (request) => {
    const refused = asViewed(request);
    if (refused !== undefined) return refused;
    const send = await repeatable(request);
    const response = await (send === undefined ? fetch(request) : send(request.signal));
    if (response.status !== 403) return response;
    const problem = await problemOf(response);
    if (problem.code === 'second_factor_setup_required') onsetup();
    if (problem.code === 'second_factor_required') onfactor(factorRequestOf(problem));
    if (problem.code !== 'step_up_required' || send === undefined) return response;
    if (!(await stepUp.ask(methodsOf(problem)))) return refusal(problem);
    // The time that a request may take is over by now; somebody who has given up may still say so.
    const { signal } = request;
    const isLate = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
    if (signal.aborted && !isLate) throw signal.reason;
    return send(null);
  };
}

/** The session and the account are those of the person, whatever role they look as. */
const isOwn = (path: string): boolean => /\/auth\/(?!me\/permissions$)/.test(path);

/** Asks for what the role sees as which an admin looks. Returns the refusal of what would change something. */
function asViewed(request: Request): Response | undefined {
  const { name } = viewedRole;
  if (name === undefined || isOwn(new URL(request.url).pathname)) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return Response.json({ status: 403, code: 'read_only', detail: t('app.viewedReadOnly') }, { status: 403 });
  }
  request.headers.set('Recto-View-As', name);
  return undefined;
}

/** The methods whose requests have a body in the admin. */
const bodies: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Sends a request as often as it is called. Undefined for one with a file: what takes a proof has no file, and a copy of the file would be in
 * memory until it is sent.
 */
async function repeatable(request: Request): Promise<((signal: AbortSignal | null) => Promise<Response>) | undefined> {
  const { url, method, headers, keepalive } = request;
  const type = headers.get('content-type');
  if (type !== null && !type.startsWith('application/json')) return undefined;
  // Read only where there can be one: what a page sends while it is left is sent at once.
  const body = type !== null ? await request.text() : bodies.has(method) ? await request.arrayBuffer() : null;
  const init = { method, headers, keepalive, ...(body === null ? {} : { body }) };
  return (signal) => fetch(new Request(url, { ...init, signal }));
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function factorRequestOf(problem: Problem): FactorRequest {
  const { challenge, expires_in, options } = problem;
  return {
    challenge: String(challenge),
    expires_in: Number(expires_in),
    methods: methodsOf(problem).filter((method): method is FactorMethod => method !== 'password'),
    // As the service gives them with the method.
    ...(typeof options === 'object' && options !== null
      ? { options: options as PublicKeyCredentialRequestOptionsJSON }
      : {}),
  };
}

const refusal = (problem: Problem): Response =>
  Response.json({ ...problem, detail: t('session.stepUpRefused') }, { status: 403 });
