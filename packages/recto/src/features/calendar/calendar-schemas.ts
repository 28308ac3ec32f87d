import Type from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';
import { entryKinds } from './calendar-entry.ts';

const strict = { additionalProperties: false } as const;
/** Of years whose days all have names of the same length before and after them. */
const date = (description: string) =>
  Type.Optional(Type.String({ format: 'date', pattern: '^[1-8]\\d{3}-\\d\\d-\\d\\d$', description }));

/** The most days of one answer: six weeks and more. */
export const mostDays = 62;
/** Without `to`. */
export const usualDays = 31;
export const mostPerDay = 100;

export const calendarParameters = Type.Object({
  from: date('The first day, such as `2026-03-01`. Default: today.'),
  to: date(`The day after the last one, at most ${mostDays} days after \`from\`. Default: ${usualDays} days after it.`),
  time_zone: Type.Optional(
    Type.String({ maxLength: 64, description: 'Whose days they are, such as `Europe/Berlin`. Default: `UTC`.' }),
  ),
  type: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only records of this content type: its singular or plural name.' }),
  ),
  kind: Type.Optional(Type.Enum([...entryKinds], { description: 'Only entries of this kind.' })),
  per_day: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: mostPerDay, default: 20 },
      description: 'The most entries of one day. `left_out` counts the others.',
    }),
  ),
});

const entrySchema = Type.Object(
  {
    kind: Type.Enum([...entryKinds], {
      description:
        '`status`: a status that changes by itself. `release`: a release with a time. `due`: a date by which a record is due.',
    }),
    at: timeSchema,
    type: nullable(Type.String({ description: 'The singular name of the content type; null for a release.' })),
    id: recordId,
    title: nullable(Type.String({ description: 'What it is called, as far as you read it.' })),
    language: nullable(Type.String({ description: 'The language whose status changes; null: the default language.' })),
    status: nullable(Type.String({ description: 'The status now, as far as you read it.' })),
    becomes: nullable(Type.String({ description: 'The status from then on; null: the time changes none.' })),
  },
  { $id: 'CalendarEntry', ...strict },
);

const daySchema = Type.Object(
  {
    date: Type.String({ format: 'date' }),
    from: timeSchema,
    to: Type.String({ format: 'date-time', description: 'When the next day begins.' }),
    total: Type.Integer({ minimum: 0, description: 'How many entries the day has.' }),
    left_out: Type.Integer({ minimum: 0, description: 'How many of them are not in `items`.' }),
  },
  { $id: 'CalendarDay', ...strict },
);

export const calendarSchema = Type.Object(
  {
    time_zone: Type.String(),
    days: Type.Array(daySchema, { description: 'All days, in their order.' }),
    items: Type.Array(entrySchema, { description: 'The entries, by their time.' }),
    total: Type.Integer({ minimum: 0 }),
    left_out: Type.Integer({ minimum: 0 }),
  },
  { $id: 'Calendar', ...strict },
);
