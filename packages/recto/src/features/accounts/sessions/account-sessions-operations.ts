import Type, { type Static } from 'typebox';
import { findAccount, noSuchAccount } from '../../../auth/accounts.ts';
import type { AuthServices } from '../../../auth/auth-services.ts';
import { endSessions } from '../../../auth/end-sessions.ts';
import type { ListedSession } from '../../../auth/session-store.ts';
import { notFound } from '../../../base/problem.ts';
import type { Operation, RequestContext } from '../../../http/operation.ts';
import { json } from '../../../http/responses/json-response.ts';
import { noContent } from '../../../http/shared-responses.ts';
import { idParams, recordId } from '../../../http/shared-schemas.ts';
import { accountCaller } from '../account-caller.ts';
import { nullable, timeSchema } from '../account-schemas.ts';

const sessionSchema = Type.Object(
  {
    id: recordId,
    current: Type.Boolean({ description: 'The session of this request.' }),
    agent: nullable(Type.String({ description: 'The `User-Agent` that signed in; null: unknown.' })),
    methods: Type.Array(Type.String(), {
      description:
        'How it was signed in: `password`, `code` or `provider`, followed by a second factor if there was one, or `passkey` alone. Empty: unknown.',
    }),
    created_at: timeSchema,
    used_at: Type.String({ format: 'date-time', description: 'When its tokens were last renewed.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it ends unless it is used before.' }),
  },
  { $id: 'Session', additionalProperties: false },
);

const listSchema = Type.Object(
  { items: Type.Array(sessionSchema) },
  { $id: 'SessionList', additionalProperties: false },
);

const listed = { description: 'The sessions, the one that was used last first; at most 200.', schema: listSchema };
const noSuchSession = () => notFound('There is no such session.');

const own = '/api/v1/auth/me/sessions';
const ofUser = '/api/v1/admin/users/{id}/sessions';
const forAll = { tag: 'auth', security: 'bearer' } as const;
const forAdmins = { tag: 'users', security: 'bearer', roles: ['admin'] } as const;
const sessionParam = { session: { ...idParams.id, component: 'Session', description: 'The id of a session.' } };

/** Where an account is signed in: for its owner, and for admins. */
export const accountSessionsOperations = (services: AuthServices): readonly Operation[] => {
  const list = async ({ caller }: RequestContext, account: string): Promise<Response> => {
    const sessions = await services.sessions.list(services.database, account, services.now());
    const current = caller.kind === 'account' ? caller.session : undefined;
    const items = sessions.map((session) => sessionJson(session, current));
    return json(200, { items }, { 'Cache-Control': 'no-store' });
  };
  const me = async (context: RequestContext) => {
    const account = await services.accounts.byId(services.database, accountCaller(context).id);
    if (account === undefined) throw noSuchAccount();
    return account;
  };
  /** The account of the path, which a tenant's admin sees in that tenant alone. */
  const user = ({ caller }: RequestContext, id: string) => findAccount(services, services.database, id, caller.tenant);
  return [
    {
      ...forAll,
      id: 'listOwnSessions',
      method: 'GET',
      path: own,
      summary: 'List the own sessions',
      responses: { 200: listed },
      problems: [403, 503],
      handle: async (context) => list(context, accountCaller(context).id),
    },
    {
      ...forAll,
      id: 'endOtherSessions',
      method: 'DELETE',
      path: own,
      summary: 'Sign out everywhere else',
      description: 'Ends all sessions of the account but the one that asks.',
      responses: { 204: { description: 'All others have ended.' } },
      problems: [403, 503],
      handle: async (context) => {
        const { session } = accountCaller(context);
        await endSessions(services, await me(context), { except: session }, context.caller);
        return noContent();
      },
    },
    {
      ...forAll,
      id: 'endOwnSession',
      method: 'DELETE',
      path: `${own}/{session}`,
      params: sessionParam,
      summary: 'End one of the own sessions',
      description: 'Its tokens are rejected from now on.',
      responses: { 204: { description: 'The session has ended.' } },
      problems: [403, 404, 503],
      handle: async (context) => {
        const which = { id: context.param('session') };
        if ((await endSessions(services, await me(context), which, context.caller)) === 0) throw noSuchSession();
        return noContent();
      },
    },
    {
      ...forAdmins,
      id: 'listUserSessions',
      method: 'GET',
      path: ofUser,
      params: idParams,
      summary: 'List the sessions of a user',
      responses: { 200: listed },
      problems: [404, 503],
      handle: async (context) => list(context, (await user(context, context.param('id'))).id),
    },
    {
      ...forAdmins,
      id: 'endUserSessions',
      method: 'DELETE',
      path: ofUser,
      params: idParams,
      summary: 'End all sessions of a user',
      description: 'All tokens of the user’s sessions are rejected from now on.',
      responses: { 204: { description: 'All have ended.' } },
      problems: [404, 503],
      handle: async (context) => {
        await endSessions(services, await user(context, context.param('id')), {}, context.caller);
        return noContent();
      },
    },
    {
      ...forAdmins,
      id: 'endUserSession',
      method: 'DELETE',
      path: `${ofUser}/{session}`,
      params: { ...idParams, ...sessionParam },
      summary: 'End a session of a user',
      description: 'Its tokens are rejected from now on.',
      responses: { 204: { description: 'The session has ended.' } },
      problems: [404, 503],
      handle: async (context) => {
        const account = await user(context, context.param('id'));
        const which = { id: context.param('session') };
        if ((await endSessions(services, account, which, context.caller)) === 0) throw noSuchSession();
        return noContent();
      },
    },
  ];
};

const sessionJson = (session: ListedSession, current: string | undefined): Static<typeof sessionSchema> => ({
  id: session.id,
  current: session.id === current,
  agent: session.agent,
  methods: [...session.methods],
  created_at: session.createdAt,
  used_at: session.usedAt,
  expires_at: session.expiresAt,
});
