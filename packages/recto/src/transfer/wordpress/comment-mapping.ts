import { withoutInvisible } from '../../base/invisible-characters.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { plainLine, plainText, shortened } from './html-text.ts';
import { wordpressInstant } from './wordpress-date.ts';
import type { WxrComment } from './wxr-entry.ts';

/** A comment as a record, without what depends on other entries: id, post, parent, author. */
export type MappedComment =
  | { readonly skipped: string }
  | {
      readonly skipped: null;
      readonly body: Readonly<Record<string, JsonValue>>;
      /** Its author in WordPress; null if anonymous. */
      readonly user: { readonly id: string; readonly email: string } | null;
      readonly remarks: readonly string[];
    };

const longest = { content: 5000, nickname: 100 } as const;

const statuses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1': 'Approved',
    approve: 'Approved',
    '0': 'Pending',
    hold: 'Pending',
    spam: 'Spam',
  }),
);

/** `type` is the comment type; `now` the time used for a comment without one. */
export function mapComment(comment: WxrComment, type: ContentType, now: string): MappedComment {
  const skipped = reasonToSkip(comment);
  if (skipped !== undefined) return { skipped };
  const remarks: string[] = [];
  const text = plainText(comment.content);
  if (text === '') return { skipped: 'without text' };
  const content = shortened(text, longest.content);
  if (content !== text) remarks.push(`of more than ${longest.content} characters: cut`);
  const date = wordpressInstant(comment.dateGmt, comment.date) ?? now;
  const isVisitor = comment.userId === '' || comment.userId === '0';
  return {
    skipped: null,
    body: {
      nickname: shortened(withoutInvisible(plainLine(comment.author)).trim(), longest.nickname) || null,
      email: emailOf(comment, type, remarks),
      content,
      status: statuses.get(comment.approved) ?? 'Pending',
      created_at: date,
      updated_at: date,
    },
    user: isVisitor ? null : { id: comment.userId, email: comment.email },
    remarks,
  };
}

function reasonToSkip({ type, approved }: WxrComment): string | undefined {
  if (type === 'pingback' || type === 'trackback') return `${type}s: notices of other sites, not comments`;
  if (type !== '' && type !== 'comment') return `of the type “${type.slice(0, 40)}”, which a plugin has added`;
  if (approved === 'trash' || approved === 'post-trashed') return 'in the trash';
  return undefined;
}

function emailOf({ email }: WxrComment, type: ContentType, remarks: string[]): string | null {
  const field = type.field.get('email');
  if (email === '' || field === undefined) return null;
  if (field.type.parse(email, field).ok) return email;
  remarks.push('with an e-mail address that is none: left out');
  return null;
}
