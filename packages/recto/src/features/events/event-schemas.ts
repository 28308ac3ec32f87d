import Type from 'typebox';
import { nullOr } from '../../values/null-or.ts';

export const actionSchema = Type.Enum(['create', 'update', 'delete', 'publish', 'unpublish', 'restore']);

const actorSchema = Type.Object({
  id: nullOr(Type.String()),
  kind: Type.Enum(['account', 'api_token', 'system']),
});

/** A row of the log. */
export const eventSchema = Type.Object(
  {
    seq: Type.Integer({ description: 'Rises in the order of the commits, with gaps.' }),
    type: Type.String({
      description:
        'The singular name of a content type, or one of what is no content, such as `recto:account`, `recto:api_token` or `recto:content_type`.',
    }),
    record: Type.String({ description: 'The id of the record or account, or the name of the content type.' }),
    action: actionSchema,
    changed: Type.Array(Type.String(), { description: 'The names of the fields that an update changed.' }),
    language: {
      ...nullOr(Type.String()),
      description: 'The tag of the one language whose words were changed; null: of none, or of several.',
    },
    actor: { ...nullOr(actorSchema), description: 'Who did it; null for an anonymous caller.' },
    tenant: nullOr(Type.String()),
    request_id: nullOr(Type.String()),
    at: Type.String({ format: 'date-time' }),
    via: {
      ...nullOr(Type.Enum(['import', 'mcp', 'release'])),
      description:
        'What the change came through: `mcp`, an agent’s tools; `release`, one that was published; `import`, a file; null: the API.',
    },
    client: { ...nullOr(Type.String()), description: 'The name that the agent’s program gives itself.' },
    release: { ...nullOr(Type.String()), description: 'The id of the release that the change is part of.' },
    revision: { ...nullOr(Type.Integer()), description: 'The revision of the record that the change made.' },
  },
  { $id: 'Event' },
);

export const eventListSchema = Type.Object(
  {
    items: Type.Array(eventSchema),
    total: Type.Integer({ description: 'The number of items where there are no further ones; else -1.' }),
    page: Type.Integer(),
    page_size: Type.Integer(),
  },
  { $id: 'EventList' },
);

/** An export. */
export const eventLines = Type.String({ description: 'One `Event` on each line.' });
