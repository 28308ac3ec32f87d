import Type, { type Static } from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import { longestContext, longestNote, longestPath, longestQuote, mostMentions, type Note } from '../../notes/note.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const strict = { additionalProperties: false } as const;

const text = Type.String({ minLength: 1, maxLength: longestNote, pattern: '\\S', description: 'Plain text.' });
const mentions = Type.Array(Type.String(), {
  maxItems: mostMentions,
  uniqueItems: true,
  description: 'The ids of accounts that are to hear of it.',
});
const fieldPath = Type.String({
  minLength: 1,
  maxLength: longestPath,
  pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\[[0-9]{1,6}\\]|\\.[A-Za-z_][A-Za-z0-9_]*)*$',
  description: 'What the note is about: a path such as `body[2].title`.',
});
const quote = Type.Object(
  {
    exact: Type.String({ minLength: 1, maxLength: longestQuote, description: 'The words that the note is about.' }),
    prefix: Type.Optional(Type.String({ maxLength: longestContext, description: 'What stands before them.' })),
    suffix: Type.Optional(Type.String({ maxLength: longestContext, description: 'What stands behind them.' })),
  },
  { ...strict, description: 'A passage of the field, which is found again by its words.' },
);

export const newNote = {
  text,
  mentions: Type.Optional(mentions),
  field: Type.Optional(nullable(fieldPath)),
  language: Type.Optional(nullable(Type.String({ maxLength: 35, description: 'The language that it is about.' }))),
  quote: Type.Optional(nullable(quote)),
  parent_id: Type.Optional(nullable(Type.String({ description: 'The first note of the thread that it replies in.' }))),
};

const kept = Type.Optional(Type.Unknown({ description: 'Ignored, so that a fetched note can be sent back.' }));
export const noteChange = {
  text: Type.Optional(text),
  mentions: Type.Optional(mentions),
  ...{ id: kept, type: kept, record: kept, field: kept, language: kept, quote: kept, parent_id: kept, author: kept },
  ...{ created_at: kept, updated_at: kept, resolved_at: kept, resolved_by: kept },
};

export const resolution = {
  resolved: Type.Optional(Type.Boolean({ description: 'False: the thread is open again. Default: true.' })),
};

export const noteSchema = Type.Object(
  {
    id: recordId,
    type: Type.String({ description: 'The singular name of a content type.' }),
    record: Type.String(),
    field: nullable(Type.String({ description: 'A path such as `body[2].title`; null: the whole record.' })),
    language: nullable(Type.String({ description: 'Null: all languages.' })),
    quote: nullable(Type.Object({ exact: Type.String(), prefix: Type.String(), suffix: Type.String() }, { ...strict })),
    text: Type.String(),
    mentions: Type.Array(Type.String()),
    parent_id: nullable(Type.String({ description: 'Null for the first note of a thread.' })),
    author: Type.String({ description: 'The id of an account or API token.' }),
    created_at: timeSchema,
    updated_at: nullable(timeSchema),
    resolved_at: nullable(
      Type.String({ format: 'date-time', description: 'Of a first note, when its thread was closed.' }),
    ),
    resolved_by: nullable(Type.String()),
  },
  { $id: 'Note', ...strict },
);

export const noteListSchema = Type.Object(
  { items: Type.Array(noteSchema, { description: 'In the order in which they were written.' }) },
  { $id: 'NoteList', ...strict },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : timeOf(milliseconds);

export const noteJson = (note: Note): Static<typeof noteSchema> => ({
  id: note.id,
  type: note.type,
  record: note.record,
  field: note.field,
  language: note.language,
  quote: note.quote === null ? null : { ...note.quote },
  text: note.text,
  mentions: [...note.mentions],
  parent_id: note.parent,
  author: note.author,
  created_at: timeOf(note.createdAt),
  updated_at: timeOrNull(note.updatedAt),
  resolved_at: timeOrNull(note.resolvedAt),
  resolved_by: note.resolvedBy,
});
