import Type, { type TObject, type TSchema } from 'typebox';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { partSchema, payloadSchema, recordSchema } from '../records/record-schemas.ts';

export const slugParameter = Type.String({ description: 'The slug of the post.' });

/** A page of threads, as the public sees them. */
export function threadsSchema(type: ContentType, types: ContentTypes): TObject {
  return Type.Object(
    {
      items: Type.Array(threadSchema(type, types)),
      total: Type.Integer({ minimum: -1, description: 'The comments in all threads; -1 with `skip_total=true`.' }),
      page: Type.Integer({ minimum: 1 }),
      page_size: Type.Integer({ minimum: 1, description: 'The size used, which may be less than requested.' }),
    },
    { additionalProperties: false },
  );
}

const threadName = 'CommentThread';

function threadSchema(type: ContentType, types: ContentTypes): TSchema {
  const { properties } = recordSchema(type, 'get', types);
  const whole = Type.Object(
    { ...properties, replies: repliesOf(threadName) },
    { $id: threadName, additionalProperties: false },
  );
  const part = partSchema({ ...properties, replies: repliesOf(`${threadName}Part`) }, threadName, ['id', 'replies']);
  return Type.Unsafe({ anyOf: [whole, part] });
}

const repliesOf = (name: string): TSchema =>
  Type.Array(Type.Unsafe<unknown>({ $ref: name }), {
    description: 'The comments that answer this one, oldest first.',
  });

/** The honeypot: a field that people do not see and robots fill in. None where comments have a field of that name. */
export function trapOf(type: ContentType): string | undefined {
  return type.field.has('website') ? undefined : 'website';
}

/** What a new comment may hold. */
export function newCommentSchema(type: ContentType): TObject {
  const trap = trapOf(type);
  const { properties } = payloadSchema(type, 'create');
  const nickname = Type.Union([patterned(type, 'nickname', `^[^${control}]*$`), Type.Null()]);
  return Type.Object(
    {
      ...properties,
      content: patterned(type, 'content', filledText),
      nickname: Type.Optional(nickname),
      post_id: ignored,
      status: ignored,
      ...(trap === undefined ? {} : { [trap]: hidden }),
    },
    { $id: 'NewComment', additionalProperties: false },
  );
}

/** What a reply of an editor may hold: where it stands follows from what it answers. */
export function replySchema(type: ContentType): TObject {
  const { parent_id: _, ...properties } = newCommentSchema(type).properties;
  const trap = trapOf(type);
  if (trap !== undefined) delete properties[trap];
  return Type.Object(
    { ...properties, post_id: ignored, parent_id: ignored, status: ignored },
    { $id: 'NewReply', additionalProperties: false },
  );
}

const ignored = Type.Optional(Type.Unknown({ readOnly: true, description: 'Ignored when sent.' }));

const hidden = Type.Optional(
  Type.Unknown({
    description:
      'For a form field that people do not see. A comment that has a text or any other value here is not stored.',
  }),
);

/** Unicode's control characters, as a part of a character class; a text may have tabs and line breaks. */
const control = String.raw`\u0000-\u001f\u007f-\u009f`;
const controlInText = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;

const filledText = `^[^${controlInText}]*[^\\s${control}][^${controlInText}]*$`;

/** What a text field takes, with the characters that it may have. */
function patterned(type: ContentType, name: string, pattern: string): TSchema {
  const field = type.field.get(name);
  if (field === undefined) throw new Error(`The type ${type.singular} has no ${name}.`);
  return { ...field.type.input(field), pattern };
}
