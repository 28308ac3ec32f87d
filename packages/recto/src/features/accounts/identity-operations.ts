import Type, { type Static } from 'typebox';
import type { AuthServices } from '../../auth/auth-services.ts';
import type { Identity } from '../../auth/providers/identity-store.ts';
import { linkIdentity, unlinkIdentity } from '../../auth/providers/own-identities.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import { noContent } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import { accountCaller } from './account-caller.ts';
import { nullable, timeSchema } from './account-schemas.ts';
import {
  challengeSchema,
  codeBody,
  providerOf,
  providersRoot,
  type ReturnTargets,
  returnToOf,
  returnToSchema,
} from './provider-operations.ts';
import { noStore } from './sessions/signed-in-response.ts';

const identitySchema = Type.Object(
  {
    id: recordId,
    provider: Type.String({ description: 'The name of the provider.' }),
    label: Type.String({ description: 'What the provider is called; its name where it is not configured any more.' }),
    email: nullable(Type.String({ description: 'The address that the provider last named; null: none.' })),
    created_at: timeSchema,
    last_used_at: nullable(Type.String({ format: 'date-time', description: 'The last sign-in; null: none yet.' })),
  },
  { $id: 'Identity', additionalProperties: false },
);
const listSchema = Type.Object(
  { items: Type.Array(identitySchema) },
  { $id: 'IdentityList', additionalProperties: false },
);
const urlSchema = Type.Object(
  { url: Type.String({ description: 'Where the browser goes.' }) },
  { $id: 'IdentityLinkUrl', additionalProperties: false },
);

const beginBody = new CheckedBody({ challenge: challengeSchema, return_to: Type.Optional(returnToSchema) });
const linkBody = new CheckedBody(codeBody);

const root = '/api/v1/auth/me/identities';
const common = { tag: 'auth', security: 'bearer' } as const;

/** The accounts of providers that the caller signs in with. */
export const identityOperations = (services: AuthServices, returns: ReturnTargets): readonly Operation[] => {
  const { database, identities, providers } = services;
  const label = (name: string): string => providers?.find(name)?.label ?? name;
  const by = ({ caller }: RequestContext) => ({ ...services, by: caller });
  const shown = ({ id, provider, email, createdAt, lastUsedAt }: Identity): Static<typeof identitySchema> => ({
    ...{ id, provider, label: label(provider), email },
    created_at: createdAt,
    last_used_at: lastUsedAt,
  });
  return [
    {
      ...common,
      id: 'listIdentities',
      method: 'GET',
      path: root,
      summary: 'List the own identities',
      description: 'The accounts of providers that open the own account.',
      responses: { 200: { description: 'The identities, the oldest first.', schema: listSchema } },
      problems: [403, 503],
      handle: async (context) => {
        const all = await identities.list(database, accountCaller(context).id);
        return json(200, { items: all.map(shown) }, noStore);
      },
    },
    {
      ...common,
      id: 'startIdentityLink',
      stepUp: 'account',
      method: 'POST',
      path: `${root}/{name}`,
      summary: 'Begin to link an identity',
      description: 'Returns where the browser goes. It comes back with a code, which `POST /auth/me/identities` takes.',
      params: { name: Type.String({ description: 'The name of a provider.' }) },
      body: beginBody.declaration,
      responses: { 200: { description: 'Where to go.', schema: urlSchema } },
      problems: [400, 403, 404, 422],
      handle: async (context) => {
        accountCaller(context);
        const { provider, providers: all } = providerOf(providers, context);
        const { challenge, return_to: asked } = await beginBody.read(context);
        const query = new URLSearchParams({
          ...{ purpose: 'link', challenge, return_to: returnToOf(returns, 'link', asked) },
        });
        return json(200, { url: `${all.origin}${providersRoot}/${provider.name}/start?${query}` }, noStore);
      },
    },
    {
      ...common,
      id: 'linkIdentity',
      stepUp: 'account',
      method: 'POST',
      path: root,
      summary: 'Link an identity',
      description:
        'Adds the identity that the browser has come back with. 401 `invalid_code` as for `POST /auth/exchange`; 409 `identity_in_use`: another account has it.',
      body: linkBody.declaration,
      responses: { 201: { description: 'The identity.', schema: identitySchema } },
      problems: [400, 403, 409, 422, 503],
      handle: async (context) => {
        const { id } = accountCaller(context);
        const given = { ...(await linkBody.read(context)), language: languageOf(context), label };
        return json(201, shown(await linkIdentity(by(context), id, given)), noStore);
      },
    },
    {
      ...common,
      id: 'unlinkIdentity',
      stepUp: 'account',
      method: 'DELETE',
      path: `${root}/{id}`,
      summary: 'Remove an identity',
      description: 'It opens the account no more. 409 `last_sign_in_method` where nothing else would.',
      params: { id: { ...idParams.id, component: 'Identity', description: 'The id of an identity.' } },
      responses: { 204: { description: 'It is removed.' } },
      problems: [403, 404, 409, 503],
      handle: async (context) => {
        await unlinkIdentity(by(context), accountCaller(context).id, context.param('id'));
        return noContent(noStore);
      },
    },
  ];
};
