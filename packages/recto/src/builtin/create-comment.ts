import { sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { anonymous, type Caller, callerId, isAuthenticated } from '../base/caller.ts';
import { conflict, forbidden, invalid, notFound } from '../base/problem.ts';
import type { Executor } from '../database/database.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { rightsOf } from '../definition/rights/read-view.ts';
import { Plan, RequestBindings } from '../records/plans/plan.ts';
import { ReadsCollector } from '../records/plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../records/plans/sql-parts.ts';
import { gettable } from '../records/plans/visibility.ts';
import type { Records } from '../records/records.ts';
import type { Created } from '../records/write/create-record.ts';
import type { PreparedWrite } from '../records/write/prepared-write.ts';
import { commentPayload } from './comment-payload.ts';
import { unknownParent } from './comment-type.ts';

/** Whose comments are shown without a moderator. */
export type AutoApprove = 'none' | 'members' | 'all';

export interface NewComment {
  /** The post's slug. */
  readonly slug: string;
  readonly caller: Caller;
  /** As sent; `post_id` and `status` in it are ignored. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The nickname where the payload has none. */
  readonly nickname: string | null;
  readonly autoApprove: AutoApprove;
}

/**
 * Thrown for a comment that a guest sends again, and nothing is stored. No answer may show it: whoever guesses what another guest wrote
 * would learn of a comment that nobody has approved.
 */
export class RepeatedByGuest extends Error {}

export interface PreparedComment extends PreparedWrite<Created> {
  /** The same write, whoever sent such a comment before. */
  readonly repeated: PreparedWrite<Created>;
}

/**
 * Prepares a comment on a post. 404 where the public does not see the post, 403 `comments_closed` where it takes no comments,
 * 422 with every error of the payload, 409 `duplicate` for what the same account wrote there a moment ago. Throws `RepeatedByGuest`.
 */
export async function prepareComment(records: Records, comment: NewComment): Promise<PreparedComment> {
  const { slug, caller } = comment;
  const type = records.types.get('comment');
  // Whether comments are taken at all comes before what is wrong with this one, and is checked again when it is stored.
  const postId = await requireOpenPost(records, records.database, 'slug', slug);
  const payload = commentPayload(
    type,
    { nickname: comment.nickname, ...comment.payload },
    {
      post_id: postId,
      status: isApproved(comment) ? 'Approved' : 'Pending',
    },
  );
  const write = await records.prepareCreate({ type, admin: false, caller, search: '', payload });
  const repeated: PreparedWrite<Created> = {
    type,
    async run(transaction, isLast) {
      await requireOpenPost(records, transaction, 'id', postId);
      await requireVisibleParent(records, transaction, caller, payload.parent_id);
      return write.run(transaction, isLast);
    },
  };
  return {
    type,
    async run(transaction, isLast) {
      await requireNew(records, transaction, caller, payload);
      return repeated.run(transaction, isLast);
    },
    repeated,
  };
}

export interface Reply {
  /** The comment that it answers. */
  readonly parent: string;
  readonly caller: Caller;
  /** As sent; `post_id`, `parent_id` and `status` in it are ignored. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The nickname where the payload has none. */
  readonly nickname: string | null;
}

/**
 * Prepares an editor's reply to any comment, which everyone sees at once, also below a post that is not published or takes no
 * comments. 404 where there is no such comment, 422 with every error, 409 `duplicate` as for other comments.
 */
export async function prepareReply(
  records: Records,
  { parent, caller, ...reply }: Reply,
): Promise<PreparedWrite<Created>> {
  const type = records.types.get('comment');
  // 404 where there is none that the caller sees.
  await records.get({ type, view: 'admin', caller, id: parent, search: '' });
  const above = await records.find(records.database, type, parent);
  const kept = { post_id: above?.post_id ?? null, parent_id: parent, status: 'Approved' };
  const payload = commentPayload(type, { nickname: reply.nickname, ...reply.payload }, kept);
  const write = await records.prepareCreate({ type, admin: true, caller, search: '', payload });
  return {
    type,
    async run(transaction, isLast) {
      await requireNew(records, transaction, caller, payload);
      return write.run(transaction, isLast);
    },
  };
}

const isApproved = ({ autoApprove, caller }: NewComment): boolean =>
  autoApprove === 'all' || (autoApprove === 'members' && isAuthenticated(caller));

/** The id of a post that the public sees and that takes comments. */
async function requireOpenPost(
  records: Records,
  executor: Executor,
  by: 'slug' | 'id',
  value: string,
): Promise<string> {
  const plan = records.plan(`open-post|${by}`, (types, dialect) => {
    const type = types.get('post');
    const shown = gettable(type, 'p', { dialect, authenticated: false, reads: new ReadsCollector() });
    const key = sql`${column('p', by)} = ${new ValuePlaces().take()}`;
    return new Plan(
      sql`select "id", "comments_open" from ${tableAs(type.table, 'p')} where ${allOf([key, shown])}`,
      dialect,
    );
  });
  const query = plan.bind(new RequestBindings(anonymous, [value]));
  const post = await executor.first<{ id: string; comments_open: SqlValue }>(query);
  if (post === undefined) throw notFound('There is no such post.');
  const isOpen = post.comments_open === null || records.database.dialect.decode('boolean', post.comments_open) === true;
  if (!isOpen) throw forbidden('comments_closed', 'This post takes no comments.');
  return post.id;
}

/**
 * What a reply answers must be shown to its writer: approved, with all that is above it, or their own; moderators see all.
 * A comment that is not shown is as good as none. Whether it is on the same post is the type's own to check.
 */
async function requireVisibleParent(
  records: Records,
  executor: Executor,
  caller: Caller,
  parentId: unknown,
): Promise<void> {
  const type = records.types.get('comment');
  const isModerator = rightsOf(caller, records.types.roles).of(type).rows.get === 'all';
  const isShown = ({ status, author_id }: StoredRecord): boolean =>
    status === 'Approved' || isModerator || (author_id !== null && author_id === callerId(caller));
  let above = parentId;
  while (typeof above === 'string') {
    const record: StoredRecord | undefined = await records.find(executor, type, above);
    if (record === undefined || !isShown(record)) throw invalid([unknownParent]);
    above = record.parent_id;
  }
}

/** How long the same text by the same author counts as sent twice, in milliseconds. */
const doubledWithin = 60_000;

interface Author {
  readonly author_id: string | null;
  readonly nickname: string | null;
}

/** Guests are identified by the name that they give. Not by their address: the answer would confirm a guess of it. */
const isSame = (one: Author, other: Author): boolean =>
  one.author_id === other.author_id &&
  (one.author_id !== null || one.nickname?.toLowerCase() === other.nickname?.toLowerCase());

/** Runs in the transaction that stores the comment, so that of two that come at the same moment the second finds the first. */
async function requireNew(
  records: Records,
  executor: Executor,
  caller: Caller,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { dialect } = records.database;
  const plan = records.plan('same-comments', (types) => {
    const places = new ValuePlaces();
    return new Plan(
      sql`select "author_id", "nickname" from ${sql.id(types.get('comment').table)}
        where "post_id" = ${places.take()} and "created_at" > ${places.take()} and "content" = ${places.take()}`,
      dialect,
    );
  });
  const since = dialect.encode('datetime', new Date(Date.now() - doubledWithin).toISOString());
  const values = [String(payload.post_id), since, String(payload.content)];
  const same = await executor.rows<Author>(plan.bind(new RequestBindings(caller, values)));
  const nickname = typeof payload.nickname === 'string' ? payload.nickname : null;
  const author = { author_id: callerId(caller), nickname };
  if (!same.some((other) => isSame(other, author))) return;
  throw author.author_id === null
    ? new RepeatedByGuest()
    : conflict('duplicate', 'You have just written the same here.');
}
