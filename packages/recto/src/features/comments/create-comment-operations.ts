import { clientNetwork } from '../../auth/client-network.ts';
import { rateLimiter } from '../../auth/rate-limiter.ts';
import { isAuthenticated } from '../../base/caller.ts';
import { prepareComment, prepareReply, RepeatedByGuest } from '../../builtin/create-comment.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { responseOf } from '../../http/responses/reply.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { Created } from '../../records/write/create-record.ts';
import { commonProblems, createdHeaders, jsonResponse, own } from '../records/record-operation.ts';
import { writeReply } from '../records/record-response.ts';
import { recordSchema } from '../records/record-schemas.ts';
import { movedResponse } from '../records/redirects/moved-response.ts';
import { respondToWrite } from '../records/respond-to-write.ts';
import type { CommentParts } from './comment-parts.ts';
import { newCommentSchema, replySchema, slugParameter, trapOf } from './comment-schemas.ts';
import { orMovedPost } from './moved-post.ts';

const guestComments = {
  name: 'guest_comment',
  points: 10,
  seconds: 60,
  detail: 'Too many comments from this address.',
};

/** `POST /api/v1/posts/{slug}/comments`, for anyone, and the same for signed-in callers alone below `/authed`. */
export function createCommentOperations(type: ContentType, parts: CommentParts): readonly Operation[] {
  const admitGuest = parts.rateLimit ? rateLimiter(parts.auth.counters, guestComments) : undefined;
  const shared = {
    method: 'POST',
    tag: type.name,
    params: { slug: slugParameter },
    once: true,
    body: own(() => newCommentSchema(type)),
    responses: {
      201: jsonResponse('The new comment.', () => recordSchema(type, 'create', parts.types), createdHeaders),
      308: movedResponse,
    },
  } as const;
  return [
    {
      ...shared,
      id: 'createComment',
      path: '/api/v1/posts/{slug}/comments',
      summary: 'Comment on a post',
      description: `A token may be sent; its account is then the author. ${words}`,
      security: 'optional',
      problems: commonProblems(403, 404, 409, 422, 429),
      async handle(context) {
        if (!isAuthenticated(context.caller)) await admitGuest?.(clientNetwork(context.address));
        return orMovedPost(parts.records, context, () => create(type, parts, context));
      },
    },
    {
      ...shared,
      id: 'createAuthedComment',
      path: '/api/v1/posts/{slug}/comments/authed',
      summary: 'Comment on a post, signed in',
      description: words,
      security: 'bearer',
      problems: commonProblems(403, 404, 409, 422),
      handle: (context) =>
        orMovedPost(parts.records, context, () => create(type, parts, context), '/api/v1/posts/{slug}/comments/authed'),
    },
  ];
}

const words =
  'Others see it once it is approved. 403 `comments_closed` if the post takes no comments; 409 `duplicate` for the same text by the same account within a minute; of a guest, it is answered as if it were stored, and is not.';

async function create(type: ContentType, parts: CommentParts, context: RequestContext): Promise<Response> {
  const trap = trapOf(type);
  const payload = { ...(await context.body()) };
  const caught = trap === undefined ? undefined : payload[trap];
  if (trap !== undefined) delete payload[trap];
  const comment = {
    slug: context.param('slug'),
    caller: context.caller,
    payload,
    nickname: await nicknameOf(parts, context),
    autoApprove: parts.autoApprove,
  };
  const { records } = parts;
  const write = await prepareComment(records, comment);
  const reply = ({ id, answer }: Created) => writeReply(answer, 201, `/api/v1/${type.plural}/${id}`);
  const isRobot = caught !== undefined && caught !== null && caught !== '';
  // Robots get the same response as people, so that they do not try another way.
  if (isRobot) return responseOf(reply(await records.rehearse(write.repeated)));
  try {
    return await respondToWrite(context, records, write, reply);
  } catch (error) {
    if (!(error instanceof RepeatedByGuest)) throw error;
    return responseOf(reply(await records.rehearse(write.repeated)));
  }
}

/** `POST /api/v1/admin/comments/{id}/reply`: an editor answers a comment, and everyone sees it. */
export function replyOperation(type: ContentType, parts: CommentParts): Operation {
  return {
    id: 'replyToComment',
    method: 'POST',
    path: `/api/v1/admin/${type.plural}/{id}/reply`,
    tag: type.name,
    summary: 'Reply to a comment',
    description: 'As the signed-in editor or admin. The reply is approved, and the comment keeps its status.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'create' },
    params: idParams,
    once: true,
    body: own(() => replySchema(type)),
    responses: {
      201: jsonResponse('The reply.', () => recordSchema(type, 'admin', parts.types), createdHeaders),
    },
    problems: commonProblems(404, 409, 422),
    async handle(context) {
      const { records } = parts;
      const write = await prepareReply(records, {
        parent: context.param('id'),
        caller: context.caller,
        payload: await context.body(),
        nickname: await nicknameOf(parts, context),
      });
      return respondToWrite(context, records, write, ({ id, answer }) =>
        writeReply(answer, 201, `/api/v1/${type.plural}/${id}`),
      );
    },
  };
}

/** What a signed-in author is called who gives no nickname. */
async function nicknameOf({ auth }: CommentParts, { caller }: RequestContext): Promise<string | null> {
  if (caller.kind !== 'account') return null;
  return (await auth.accounts.byId(auth.database, caller.id))?.username ?? null;
}
