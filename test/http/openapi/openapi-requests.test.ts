// databases: sqlite:rest, postgres:rest
import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { onPostgres } from '../../support/database/database.ts';
import { mailSettings } from '../../support/mail-server.ts';
import { type Call, successCall, type World } from '../../support/openapi/openapi-calls.ts';
import { type DocumentedOperation, OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import {
  bodyChanges,
  faultyParameters,
  type SentParameters,
  sentParameters,
} from '../../support/openapi/openapi-requests.ts';
import { openApiTypes } from '../../support/openapi/openapi-types.ts';
import { providerSettings } from '../../support/providers/provider-settings.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

/** The same requests each time. A failure prints the seed and the path of its run. */
const seed = Number(process.env.RECTO_TEST_SEED ?? 20_261_122);

const service = await TestService.open(await openApiTypes(), {
  builtIn: true,
  settings: { ...mailSettings({ kind: 'log' }), ...providerSettings, signInCodes: 'all' },
});
await service.account('ada', 'admin');
await service.account('mia');
await service.account('tess', 'member', 'acme');
const { token: robot } = (
  await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body: { name: 'robot', role: 'admin' } })
).json;
const reader = new OpenApiReader((await service.send('GET /api/v1/openapi.json')).json);
const world: World = { service, reader, robot };
afterAll(() => service.database.close());

/** Endpoints whose access is `none` reject everything. */
const open = reader.operations.filter(({ responses }) => Object.keys(responses).some((status) => Number(status) < 300));
const named = (operations: readonly DocumentedOperation[]) =>
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
  'lock_version_mismatch',
  'idempotency_key_reused',
  'invalid_credentials',
  'invalid_refresh_token',
  'invalid_link',
  'invalid_code',
  'identity_in_use',
  'last_sign_in_method',
  'return_to_not_allowed',
  'invitation_accepted',
  'last_admin',
  'duplicate',
  'comments_closed',
  // A language of its own, in the body of a batch.
  'invalid_filter',
  // Without an access token a key must be a random UUID: no schema says who calls.
  'invalid_idempotency_key',
  // Of a stream: a content type that there is not, and a ticket that was not given.
  'unknown_type',
  'invalid_ticket',
  // How far an import or export is.
  'import_running',
  'import_done',
  'import_not_checked',
  'export_not_done',
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
]);

/** What no schema expresses. */
const fieldsBeyondSchemas: ReadonlySet<string> = new Set([
  // U+0000 and lone surrogates.
  'invalid_text',
  // Bytes of a password.
  'too_long',
  // A field that drafts cannot change, with `draft=true`.
  'not_in_draft',
  // Domains of email addresses, and lone surrogates in names.
  'bad_format',
  // What a webhook is about: names of content types, and filters for them.
  'unknown_type',
  'needs_types',
  'filter invalid_filter',
  // Addresses that lead nowhere.
  'invalid_url',
  // A cookie may have it instead.
  'refresh_token required',
  // Files go with all types, or with their own.
  'with_media not_allowed',
  // Of a user: a password, or an invitation to choose one.
  'password required',
  'password not_allowed',
]);

/** What makes a request wrong that is made of parameters the document accepts one by one. */
function isBeyondSchemas({ operationId }: DocumentedOperation, { query }: SentParameters): boolean {
  const sent = new Map(query);
  const sorted = (sent.get('sort') ?? '').split(',').map((term) => term.replace(/:.*/, ''));
  return (
    // U+0000.
    query.some(([, text]) => text.includes('\0')) ||
    // Made by the service, and for one list; and not with `page`.
    sent.has('cursor') ||
    // A language of its own.
    sent.has('filter') ||
    new Set(sorted).size < sorted.length ||
    // Of an aggregate: the names of what it computes, and zones that there are not.
    (/aggregate/i.test(operationId) && (sent.has('sort') || (sent.get('group') ?? '').includes('@'))) ||
    // A page whose place is no exact number.
    Number(sent.get('page') ?? 1) > 10 ** 13
  );
}

function expectAgreement(
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
    // The fields that a batch sets are looked at once the batch itself is right.
    const isLater = (name: string): boolean => name === 'set' && operation.path.endsWith('/batch');
    expect([...faultyMembers].filter((name) => !reported.has(name) && !isLater(name))).toEqual([]);
    const others = errors.filter(
      ({ field, code }) =>
        // Of the fields that a batch sets, `openapi-bodies.test.ts` looks at in updates.
        !/^(set|ids\[\d+\])\./.test(field) &&
        !faultyMembers.has(/^[^.[]*/.exec(field)?.[0] ?? '') &&
        ![code, `${field} ${code}`].some((known) => fieldsDecidedByData.has(known) || fieldsBeyondSchemas.has(known)),
    );
    expect(others).toEqual([]);
    return false;
  }
  if (faultyMembers.size > 0 || isBeyondSchemas(operation, sent)) return false;
  expect([...decidedByData], reply.text).toContain(code);
  return false;
}

async function send(operation: DocumentedOperation, call: Call, { query, headers }: SentParameters): Promise<Reply> {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return service.send(`${operation.method} ${call.path}${search === '' ? '' : `?${search}`}`, {
    ...call,
    headers: { ...call.headers, ...headers },
  });
}

const isMalformed = ({ status }: Reply): boolean => status === 400 || status === 422;

/** What a request may be is decided before any database is asked. */
const where = onPostgres ? ' (skipped: tested on SQLite)' : '';

describe.skipIf(onPostgres)(`the parameters of a request are taken as the document describes them${where}`, () => {
  test.each(named(open.filter(({ parameters }) => parameters.some((each) => each.in !== 'path'))))(
    '%s',
    async (_, operation) => {
      const reads = operation.method === 'GET';
      let call: Call | undefined;
      let accepted = 0;
      const agrees = fc.asyncProperty(sentParameters(reader, operation), async (sent) => {
        call ??= await successCall(world, operation);
        const reply = await send(operation, call, sent);
        if (expectAgreement(operation, sent, new Set(), reply)) accepted += 1;
        // What is malformed changes nothing, so that the next request finds what it needs.
        if (!reads && !isMalformed(reply)) call = undefined;
      });
      // Without an accepted request the property says nothing, and ten of them may all be refused by chance.
      for (let round = 0; round < 20 && accepted === 0; round += 1)
        await fc.assert(agrees, { seed: seed + round, numRuns: randomCases(reads ? 60 : 10) });
      expect(accepted).toBeGreaterThan(0);
    },
    600_000,
  );
});

/** Of records, `openapi-bodies.test.ts` looks at more bodies, with records to relate to. */
const isOfRecord = ({ bodySchema }: DocumentedOperation): boolean => /(Create|Update)$/.test(bodySchema?.$ref ?? '');

/** What a definition means is checked beyond its shape. */
const isDefinition = ({ bodySchema }: DocumentedOperation): boolean =>
  bodySchema?.$ref?.endsWith('/ContentTypeDefinition') === true;

describe.skipIf(onPostgres)(`the body of a request is taken as the document describes it${where}`, () => {
  test.each(named(open.filter((operation) => operation.bodySchema !== undefined && !isOfRecord(operation))))(
    '%s',
    async (_, operation) => {
      let call: Call | undefined;
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(bodyChanges(reader, operation), async (changes) => {
          call ??= await successCall(world, operation);
          // As it travels: what is undefined is left out.
          const body = JSON.parse(JSON.stringify({ ...Object(call.body), ...changes }));
          const reply = await send(operation, { ...call, body }, { query: [], headers: {} });
          const faulty = reader.faultyMembers(operation.bodySchema ?? {}, body);
          if (expectAgreement(operation, { query: [], headers: {} }, faulty, reply)) accepted += 1;
          if (!isMalformed(reply)) call = undefined;
        }),
        { seed, numRuns: randomCases(60) },
      );
      expect(accepted).toBeGreaterThan(0);
    },
    600_000,
  );
});
