import { expect } from 'bun:test';
import { mailSettings } from '../mail-server.ts';
import { providerSettings } from '../providers/provider-settings.ts';
import { type Reply, type ServiceOptions, TestService } from '../service.ts';
import type { Call, World } from './openapi-calls.ts';
import { type DocumentedOperation, OpenApiReader } from './openapi-reader.ts';
import { faultyParameters, type SentParameters } from './openapi-requests.ts';
import { openApiTypes } from './openapi-types.ts';

export const openApiPath = '/api/v1/openapi.json';

/** A service with all kinds of operations. */
export const openApiService = async (options: ServiceOptions = {}): Promise<TestService> =>
  TestService.open(await openApiTypes(), {
    roles: [{ name: 'shelf' }],
    builtIn: true,
    settings: {
      ...mailSettings({ kind: 'log' }),
      ...providerSettings,
      signInCodes: 'all',
      passkeyOrigins: ['https://www.example.com'],
    },
    ...options,
  });

/** Such a service, with what requests to it need. */
export async function openApiWorld(options: ServiceOptions = {}): Promise<World> {
  const service = await openApiService(options);
  await service.account('ada', 'admin');
  await service.account('mia');
  await service.account('tess', 'member', 'acme');
  const body = { name: 'robot', role: 'admin' };
  const { token: robot } = (await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body })).json;
  return { service, reader: new OpenApiReader((await service.send(`GET ${openApiPath}`)).json), robot };
}

/** Operations that may succeed: endpoints whose access is `none` reject everything. */
export const openOperations = ({ operations }: OpenApiReader): readonly DocumentedOperation[] =>
  operations.filter((operation) => !isClosed(operation));

/** Endpoints whose access is `none`: there is no success. */
export const isClosed = ({ responses }: DocumentedOperation): boolean =>
  !Object.keys(responses).some((status) => Number(status) < 300);

export const statusesOf = ({ responses }: DocumentedOperation): readonly number[] => Object.keys(responses).map(Number);

export const sendCall = (to: TestService, { method }: DocumentedOperation, call: Call): Promise<Reply> =>
  to.send(`${method} ${call.path}`, call);

export const named = (operations: readonly DocumentedOperation[]) =>
  operations.map((operation) => [operation.operationId, operation] as const);

/**
 * What the service rejects although the document accepts it: what stored data decides, by the code of the problem. The
 * bodies of records have their own list, in `openapi-bodies.test.ts`.
 */
const decidedByData: ReadonlySet<string> = new Set([
  'not_found',
  // By a rule, a role, or a setting.
  'not_an_account',
  'not_published',
  'stale',
  // By the clock.
  'time_passed',
  'lock_version_mismatch',
  'idempotency_key_reused',
  'invalid_credentials',
  'invalid_refresh_token',
  'invalid_link',
  'invalid_code',
  'invalid_passkey',
  'second_factor_required',
  'totp_exists',
  'no_second_factor',
  'step_up_required',
  'identity_in_use',
  'last_sign_in_method',
  'return_to_not_allowed',
  'invitation_accepted',
  'last_admin',
  'duplicate',
  'comments_closed',
  // Where an address leads.
  'address_not_allowed',
  'fetch_failed',
  // A language of its own, in the body of a batch.
  'invalid_filter',
  // Without an access token a key must be a random UUID: no schema says who calls.
  'invalid_idempotency_key',
  // Of a stream: a content type or a language that there is not, and a ticket that was not given.
  'unknown_type',
  'unknown_language',
  'invalid_ticket',
  // How far an import or export is.
  'import_running',
  'import_done',
  'import_not_checked',
  'export_not_done',
  // The time that a release has.
  'release_changed',
]);

/** The same for the fields of a body, by the code of the error. */
const fieldsDecidedByData: ReadonlySet<string> = new Set([
  'unknown_record',
  // Another number of ids than the record has.
  'incomplete',
  'doubled',
  'taken',
  'circular',
  // A password, which is also asked for where the email address changes.
  'incorrect',
  // What an authenticator has signed.
  'invalid_passkey',
  'current_password required',
  // By the clock.
  'in_the_past',
  // Members of a batch that do not go together, or with its action.
  'ids required',
  'filter not_allowed',
  'set required',
  'set not_allowed',
  'search not_allowed',
  'search not_searchable',
  // Parameters of an upload that do not go together.
  'type not_allowed',
  'fetch_files not_allowed',
  'skip_other_languages not_allowed',
]);

/** What no schema expresses: a code, one of a field, or one of a field of an operation. */
const fieldsBeyondSchemas: ReadonlySet<string> = new Set([
  // U+0000 and lone surrogates.
  'invalid_text',
  // Members that go with a method of giving a second factor.
  ...['code required', 'code not_allowed', 'response required', 'response not_allowed'],
  ...['method required', 'challenge required', 'current_password not_allowed'],
  // Bytes of a password.
  'too_long',
  // A field that drafts cannot change, with `draft=true`.
  'not_in_draft',
  // Domains of email addresses, and lone surrogates in names.
  'bad_format',
  // What a webhook is about: names of content types, and filters for them.
  'unknown_type',
  'unknown_language',
  'needs_types',
  'filter invalid_filter',
  // Addresses that lead nowhere.
  'invalid_url',
  // A cookie may have it instead.
  'refresh_token required',
  // Files go with all types, or with their own.
  'with_media not_allowed',
  // Times that there are not, what releases take of no language, and what can become of no record of a type.
  ...[
    'unknown_time_zone',
    'no_such_time',
    'in_the_past',
    'language not_supported',
    'scheduled_at required',
    'changes not_allowed',
    'action not_allowed',
  ],
  // Of a note: a field that the type does not have, a language that the service does not have, and what a reply leaves out.
  ...['field unknown_field', 'field required', 'language not_allowed', 'field not_allowed', 'quote not_allowed'],
  // Of a user: a password, or an invitation to choose one.
  'password required',
  'password not_allowed',
  // Of a preview: what belongs to a link that is shared, and a time to come, which goes with neither a link nor a release.
  ...[
    ...['id required', 'share required', 'label required', 'seconds required', 'scope not_allowed'],
    ...['at time_passed', 'at not_allowed'],
  ].map((known) => `createPreview ${known}`),
]);

/** What makes a request wrong that is made of parameters the document accepts one by one. */
function isBeyondSchemas({ operationId }: DocumentedOperation, { query }: SentParameters, code: string): boolean {
  const sent = new Map(query);
  const sorted = (sent.get('sort') ?? '').split(',').map((term) => term.replace(/:.*/, ''));
  return (
    // U+0000.
    query.some(([, text]) => text.includes('\0')) ||
    // Made by the service, and for one list; and not with `page`.
    sent.has('cursor') ||
    // All records in one file, as they are: nothing of pages and no other time goes with it.
    (sent.get('format') === 'csv' &&
      ['include', 'page', 'page_size', 'skip_total', 'at'].some((name) => sent.has(name))) ||
    // A language of its own.
    sent.has('filter') ||
    new Set(sorted).size < sorted.length ||
    // Of an aggregate: the names of what it computes, and zones that there are not.
    (/aggregate/i.test(operationId) && (sent.has('sort') || (sent.get('group') ?? '').includes('@'))) ||
    // Days that do not follow on one another, zones and types that there are not.
    (operationId === 'getCalendar' && ['to', 'time_zone', 'type'].some((name) => sent.has(name))) ||
    // Either of two members.
    (operationId === 'readNotifications' && code === 'invalid_parameter') ||
    // A page whose place is no exact number.
    Number(sent.get('page') ?? 1) > 10 ** 13
  );
}

/** Holds an answer against what the document says of the request. Returns whether the service has accepted it. */
export function expectAgreement(
  reader: OpenApiReader,
  operation: DocumentedOperation,
  sent: SentParameters,
  faultyMembers: ReadonlySet<string>,
  reply: Reply,
): boolean {
  const faulty = faultyParameters(reader, operation, sent);
  const selects = sent.query.some(([name, text]) => name === 'fields' && text !== '');
  expect(reader.differences(operation, reply, selects)).toEqual([]);
  const code: string = reply.json?.code ?? '';
  const accepted = reply.status < 400;
  if (accepted) {
    expect([...faulty, ...faultyMembers]).toEqual([]);
    return true;
  }
  // A write may be rejected for what is stored before its parameters matter.
  if (faulty.size > 0) {
    if (!decidedByData.has(code)) expect([reply.status, code]).toEqual([400, code]);
    return false;
  }
  if (reply.status === 422 && code === 'validation_failed') {
    const errors: readonly { readonly field: string; readonly code: string }[] = reply.json.errors;
    const reported = new Set(errors.map(({ field }) => /^[^.[]*/.exec(field)?.[0] ?? ''));
    if (isDefinition(operation)) return false;
    // The fields that a batch or a copy sets are looked at once the rest is right.
    const isLater = (name: string): boolean => name === 'set' && /\/(?:batch|duplicate)$/.test(operation.path);
    expect([...faultyMembers].filter((name) => !reported.has(name) && !isLater(name))).toEqual([]);
    const others = errors.filter(
      ({ field, code }) =>
        // Of the fields that a batch sets or a release changes, `openapi-bodies.test.ts` looks at in updates.
        !/^(set|changes|ids\[\d+\])\./.test(field) &&
        // What a copy lacks and its `set` does not give.
        !(operation.path.endsWith('/duplicate') && code === 'required') &&
        !faultyMembers.has(/^[^.[]*/.exec(field)?.[0] ?? '') &&
        ![code, `${field} ${code}`, `${operation.operationId} ${field} ${code}`].some(
          (known) => fieldsDecidedByData.has(known) || fieldsBeyondSchemas.has(known),
        ),
    );
    expect(others).toEqual([]);
    return false;
  }
  if (faultyMembers.size > 0 || isBeyondSchemas(operation, sent, code)) return false;
  expect([...decidedByData], reply.text).toContain(code);
  return false;
}

/** What a definition, or the plan of a file, means is checked beyond its shape. */
const isDefinition = ({ bodySchema }: DocumentedOperation): boolean =>
  /\/(?:ContentTypeDefinition|CsvPlan|NewRole|RoleDefinition)$/.test(bodySchema?.$ref ?? '');

/** Sends a call with other parameters, in the place of those that it has. */
export async function sendWith(
  service: TestService,
  operation: DocumentedOperation,
  call: Call,
  { query, headers }: SentParameters,
): Promise<Reply> {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return service.send(`${operation.method} ${call.path.replace(/\?.*/, '')}${search === '' ? '' : `?${search}`}`, {
    ...call,
    headers: { ...call.headers, ...headers },
  });
}

/** Refused for how it is, so that it has changed nothing. */
export const isMalformed = ({ status }: Reply): boolean => status === 400 || status === 422;
