import { idOf } from '../../base/ids.ts';
import { deepestReply } from '../../builtin/comment-type.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import { faultText, type ImportContext, inTransaction, type Outcome } from './import-context.ts';
import type { StagedComment } from './wordpress-staging.ts';

const kind = 'comments';

/** Stores the staged comments, replies after their parents. `step` gets the number of comments processed. */
export async function importComments(context: ImportContext, step: (count: number) => void): Promise<void> {
  for (let after = { level: -1, number: 0 }; ; ) {
    const comments = context.staging.comments(after);
    await inTransaction(context, comments, (comment, transaction, reader) =>
      importComment(context, comment, transaction, reader),
    );
    step(comments.length);
    const last = comments.at(-1);
    if (last === undefined) return;
    after = { level: last.level, number: last.number };
  }
}

async function importComment(
  context: ImportContext,
  comment: StagedComment,
  transaction: Transaction | null,
  reader: Executor,
): Promise<Outcome> {
  const { ledger, restorer, staging, types, dryRun } = context;
  const { external_id: externalId } = comment;
  const skipped =
    (reason: string): Outcome =>
    (tally) =>
      tally.skipped(kind, reason, externalId);
  const reason = reasonToSkip(comment);
  if (reason !== undefined) return skipped(reason);
  if ((await ledger.find(reader, 'comment', externalId)) !== undefined) return (tally) => tally.before(kind);
  const post = await stored(context, reader, 'post', comment.item_id);
  if (post === null && !dryRun) return skipped('on a post that has been deleted since its import');
  const { body, user, remarks } = staging.comment(comment.number);
  const record = restorer.check(types.comment, {
    ...body,
    id: idOf(Date.parse(String(body.created_at))),
    post_id: post ?? placeholder,
    parent_id: await stored(context, reader, 'comment', comment.anchor),
    author_id: user === null ? null : staging.accountOfUser(user.id, user.email),
  });
  const faults =
    record.faults.length > 0 || transaction === null ? record.faults : await restorer.insert(transaction, record);
  if (faults.length > 0) return skipped(faultText(faults));
  if (transaction !== null) await ledger.note(transaction, 'comment', externalId, record.id);
  return (tally) => {
    tally.taken(kind);
    for (const remark of remarks) tally.changed(kind, remark, externalId);
    if (comment.is_moved === 1)
      tally.changed(kind, `more than ${deepestReply} replies deep: raised to that depth`, externalId);
  };
}

function reasonToSkip({ skipped, item_kind: itemKind, item_left_out: leftOut }: StagedComment): string | undefined {
  if (skipped !== null) return skipped;
  if (itemKind === 'page') return 'on pages, which have no comments here';
  if (itemKind === null) return 'on something that was not imported';
  return leftOut === 1 ? 'on a post that was not imported' : undefined;
}

/** The id of an entry's record, if it still exists. */
async function stored(
  { ledger, restorer, types }: ImportContext,
  reader: Executor,
  type: 'post' | 'comment',
  externalId: string | null,
): Promise<string | null> {
  const id = externalId === null ? undefined : await ledger.find(reader, type, externalId);
  return id !== undefined && (await restorer.exists(reader, types[type], id)) ? id : null;
}

/** In a dry run, the posts do not exist. */
const placeholder = '00000000-0000-7000-8000-000000000000';
