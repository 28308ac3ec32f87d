import Type from 'typebox';
import { findAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { notFound } from '../../base/problem.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { answerHeaders } from '../../http/responses/answer-headers.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { noContent, readResponses, unchanged } from '../../http/shared-responses.ts';
import { idParams, recordId } from '../../http/shared-schemas.ts';
import type { MediaServices } from '../../media/media-services.ts';
import { acceptsPicture, pictureAddress } from '../../media/pictures/picture-address.ts';
import { namesTag } from '../../records/answers/answer.ts';
import { storedBytes } from '../../storage/storage.ts';
import { accountCaller } from '../accounts/account-caller.ts';
import { requireManageable, requireStillManageable } from '../accounts/manageable-accounts.ts';
import type { PictureParts } from './picture-writer.ts';

interface Parts extends PictureParts {
  readonly auth: AuthServices;
  readonly media: MediaServices;
}

/** The largest file that is taken. */
const maxBytes = 10 * 1024 * 1024;
const mediaTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/tiff'];

/** How many accounts are asked for at once. */
const mostAsked = 50;

const askedSchema = Type.Object({
  ids: Type.Optional(
    Type.String({
      pattern: `^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,${mostAsked - 1}}$`,
      // Each has 36 characters.
      maxLength: mostAsked * 37 - 1,
      description: `The ids of up to ${mostAsked} accounts, with commas between them. Absent: none.`,
    }),
  ),
});

const address = Type.String({
  description: 'The address of a square WebP of up to 256 pixels. It is signed, and leads there for one to two days.',
});

const pictureSchema = Type.Object({ picture: address }, { $id: 'AccountPicture', additionalProperties: false });

const picturesSchema = Type.Object(
  { items: Type.Array(Type.Object({ id: recordId, picture: address }, { additionalProperties: false })) },
  { $id: 'AccountPictures', additionalProperties: false },
);

/** Those who work in the admin: they see one another's names as well. */
const colleagues = { security: 'bearer', roles: ['admin', 'editor'], right: { any: true } } as const;

/** Loads the writer on first use, because it imports the image library. */
const load = () => import('./picture-writer.ts');

/** The pictures of accounts: an account gives itself one, and those who see its name in the admin see it. */
export const pictureOperations = (parts: Parts): readonly Operation[] => [
  {
    ...colleagues,
    id: 'setMyPicture',
    method: 'PUT',
    patch: false,
    path: '/api/v1/auth/me/picture',
    tag: 'auth',
    summary: 'Set your picture',
    description:
      'The body is an image. The service crops it to its central square, scales that to at most 256 pixels and stores it as WebP without metadata. For those who work in the admin; an API token gets 403 `not_an_account`. An image that cannot be decoded is 422 `validation_failed`.',
    body: { kind: 'stream', mediaTypes, maxBytes },
    responses: { 200: { description: 'Where it is.', schema: pictureSchema } },
    problems: [403, 422, 503, 507],
    async handle(context) {
      const by = accountCaller(context);
      const { setPicture } = await load();
      const picture = await setPicture(parts, { id: by.id, by }, context.bytes());
      return json(200, { picture: pictureAddress(parts.media.signer, picture, parts.auth.now()) });
    },
  },
  {
    id: 'deleteMyPicture',
    method: 'DELETE',
    path: '/api/v1/auth/me/picture',
    tag: 'auth',
    summary: 'Remove your picture',
    description: 'Also where there is none. An API token gets 403 `not_an_account`.',
    security: 'bearer',
    responses: { 204: { description: 'The account has no picture.' } },
    problems: [403, 503],
    async handle(context) {
      const by = accountCaller(context);
      const { removePicture } = await load();
      await removePicture(parts, { id: by.id, by });
      return noContent();
    },
  },
  {
    id: 'deleteUserPicture',
    method: 'DELETE',
    path: '/api/v1/admin/users/{id}/picture',
    params: idParams,
    tag: 'users',
    summary: 'Remove the picture of a user',
    description: 'Also where there is none.',
    security: 'bearer',
    roles: ['admin'],
    right: { may: 'users' },
    responses: { 204: { description: 'The user has no picture.' } },
    problems: [404, 503],
    async handle(context) {
      const { caller } = context;
      const id = context.param('id');
      requireManageable(caller, await findAccount(parts.auth, parts.auth.database, id, caller.tenant));
      const { removePicture } = await load();
      await removePicture(parts, { id, by: caller }, caller.tenant, (transaction) =>
        requireStillManageable(parts.auth, caller, transaction, id),
      );
      return noContent();
    },
  },
  {
    ...colleagues,
    id: 'listPictures',
    method: 'GET',
    path: '/api/v1/admin/pictures',
    tag: 'users',
    summary: 'Get the pictures of accounts',
    description: 'Accounts without a picture are not among them. An account of a tenant gets those of the tenant only.',
    query: { schema: askedSchema, validation: 'schema' },
    responses: readResponses('The pictures.', picturesSchema),
    problems: [400, 503],
    async handle({ request, query, caller }) {
      const { auth, media, pictures } = parts;
      const asked = query.ids === undefined ? [] : String(query.ids).split(',');
      const found = await pictures.ofAccounts(auth.database, asked, caller.tenant);
      const now = auth.now();
      const items = found.map((one) => ({ id: one.account, picture: pictureAddress(media.signer, one, now) }));
      return jsonRead(request, { items });
    },
  },
  {
    id: 'getUserPicture',
    method: 'GET',
    path: '/api/v1/users/{id}/picture',
    params: idParams,
    tag: 'users',
    summary: 'Get a picture by its signed address',
    description:
      'The address is in the answers of those routes that name it. Any other address is 404, as is this one after the picture is replaced or removed.',
    security: 'none',
    query: {
      schema: Type.Object({
        expires: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the signed address.' })),
        signature: Type.Optional(Type.String({ maxLength: 100, description: 'Of the signed address.' })),
      }),
      validation: 'schema',
    },
    responses: {
      200: {
        description: 'The picture.',
        mediaType: 'image/webp',
        schema: Type.String({ contentMediaType: 'image/webp' }),
        headers: {
          ETag: { description: 'Entity tag of the bytes; strong.' },
          'Cache-Control': { description: 'Private, until the address expires.' },
        },
      },
      304: unchanged,
    },
    problems: [400, 404, 503],
    handle: (context) => signedPicture(parts, context),
  },
];

/** Nothing that a file holds is run or loaded as part of this origin. */
const contentPolicy = "default-src 'none'; sandbox";

async function signedPicture({ auth, media, pictures }: Parts, context: RequestContext): Promise<Response> {
  const { expires, signature } = context.query;
  const [picture] = await pictures.ofAccounts(auth.database, [context.param('id')], undefined);
  const now = auth.now();
  if (
    picture === undefined ||
    typeof expires !== 'number' ||
    typeof signature !== 'string' ||
    !acceptsPicture(media.signer, picture, { expires, signature }, now)
  )
    throw notFound('There is no such picture.');
  const tag = `"${picture.hash.slice(0, 40)}"`;
  const headers = answerHeaders({
    'Content-Type': 'image/webp',
    'Content-Disposition': 'inline',
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': `private, max-age=${Math.floor(expires - now / 1000)}, immutable`,
    ETag: tag,
  });
  const condition = context.request.headers.get('if-none-match');
  if (condition !== null && namesTag(condition, tag, 'weak')) {
    headers.delete('Content-Type');
    return context.respond(null, headers, 304);
  }
  return context.respond(await storedBytes(media.storage, picture.key, picture.size), headers);
}
