import Type, { type Static } from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import { notificationKinds } from '../../notifications/notification.ts';
import type { NotificationPage, ShownNotification } from '../../notifications/notifications.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const strict = { additionalProperties: false } as const;

/** How much of a note is shown. */
const longestExcerpt = 200;

export const mostListed = 50;
const usualListed = 20;

export const listParameters = Type.Object({
  unread: Type.Optional(Type.Boolean({ description: 'Only those that are not read, or only those that are.' })),
  before: Type.Optional(Type.String({ maxLength: 36, description: 'The `next` of the page before.' })),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostListed, description: `At most so many. Default: ${usualListed}.` }),
  ),
});

/** The parameters, as they were checked. */
export const rangeOf = ({ unread, before, page_size: size }: Readonly<Record<string, unknown>>) => ({
  unread: typeof unread === 'boolean' ? unread : undefined,
  before: typeof before === 'string' ? before : undefined,
  limit: typeof size === 'number' ? size : usualListed,
});

export const readInput = {
  ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 36 }), { maxItems: 100, uniqueItems: true, description: 'The ids of some.' }),
  ),
  before: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'All that had happened by then: the `at` of the newest that is shown.',
    }),
  ),
};

export const notificationSchema = Type.Object(
  {
    id: recordId,
    kind: Type.Unsafe<ShownNotification['notification']['kind']>({
      type: 'string',
      enum: [...notificationKinds],
      description: 'What has happened.',
    }),
    type: nullable(Type.String({ description: 'The singular name of a content type; null: it is about a release.' })),
    plural: nullable(Type.String()),
    record: nullable(Type.String()),
    title: nullable(Type.String({ description: 'What the record or the release is called.' })),
    note: nullable(
      Type.Object(
        {
          id: recordId,
          field: nullable(Type.String({ description: 'What the note is about; null: the whole record.' })),
          text: Type.String({ description: `Its first ${longestExcerpt} characters.` }),
        },
        strict,
      ),
    ),
    release: nullable(Type.String()),
    actor: nullable(
      Type.Object(
        { id: Type.String(), name: nullable(Type.String()) },
        { ...strict, description: 'Who has done it; null: the service.' },
      ),
    ),
    at: timeSchema,
    read_at: nullable(timeSchema),
  },
  { $id: 'Notification', ...strict },
);

export const notificationListSchema = Type.Object(
  {
    items: Type.Array(notificationSchema, { description: 'Newest first.' }),
    unread: Type.Integer({ description: 'How many are not read, up to 100.' }),
    next: nullable(Type.String({ description: 'For `before`; null: there are no more.' })),
  },
  { $id: 'NotificationList', ...strict },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

function notificationJson({ notification, title, actor }: ShownNotification): Static<typeof notificationSchema> {
  const { id, kind, type, record, release, at, readAt, on } = notification;
  const note = on.kind === 'record' ? on.note : null;
  return {
    ...{ id, kind, type, record, title, release },
    plural: on.kind === 'record' ? on.type.plural : null,
    note: note === null ? null : { id: note.id, field: note.field, text: note.text.slice(0, longestExcerpt) },
    actor: actor === null ? null : { ...actor },
    at: timeOf(at),
    read_at: readAt === null ? null : timeOf(readAt),
  };
}

export const listJson = ({ items, next }: NotificationPage, unread: number): Static<typeof notificationListSchema> => ({
  items: items.map(notificationJson),
  unread,
  next,
});
