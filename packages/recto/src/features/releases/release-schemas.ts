import Type, { type Static } from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import {
  itemActions,
  longestDescription,
  longestName,
  type Release,
  type ReleaseItem,
  type ReleaseProblem,
  releaseStatuses,
  statusAt,
} from '../../releases/release.ts';
import type { ReleaseSight } from '../../releases/release-sight.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const strict = { additionalProperties: false } as const;

const name = Type.String({ minLength: 1, maxLength: longestName });
const description = Type.String({ maxLength: longestDescription });
const scheduledAt = Type.String({
  maxLength: 40,
  description:
    'An instant, such as `2026-03-29T09:00:00+02:00`, or a time as a clock in the time zone shows it, such as `2026-03-29T09:00`.',
});
const timeZone = Type.String({ maxLength: 64, description: 'A time zone, such as `Europe/Berlin`. Default: `UTC`.' });

const kept = Type.Optional(Type.Unknown({ description: 'Ignored, so that a fetched release can be sent back.' }));
const ignored = {
  ...{ id: kept, status: kept, problems: kept, reverts: kept, items: kept, created_by: kept, created_at: kept },
  ...{ updated_at: kept, published_at: kept, published_by: kept },
};

const times = {
  scheduled_at: Type.Optional(nullable(scheduledAt)),
  time_zone: Type.Optional(nullable(timeZone)),
};
/** The guard against lost updates of who moves a release in time. */
const knownAt = Type.Optional(
  nullable(
    Type.String({
      maxLength: 40,
      description: 'The time that the release has as you know. 409 `release_changed` where it has another one.',
    }),
  ),
);
export const newRelease = { name, description: Type.Optional(description), ...times };
export const releaseChange = {
  name: Type.Optional(name),
  description: Type.Optional(description),
  ...times,
  known_at: knownAt,
  ...ignored,
};
export const releaseSchedule = {
  scheduled_at: Type.Optional(scheduledAt),
  known_at: knownAt,
  time_zone: Type.Optional(nullable(timeZone)),
};

const values = Type.Record(Type.String(), Type.Unknown());

export const itemBody = {
  action: Type.Enum([...itemActions], { description: 'What is to become of the record.' }),
  changes: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'With `publish`: the fields that change with the release. Absent: none.',
    }),
  ),
  language: Type.Optional(
    Type.String({
      maxLength: 35,
      description:
        'The language that is meant, such as `de`: each has an item of its own. Default: the first of the service.',
    }),
  ),
};

export const problemSchema = Type.Object(
  {
    item: nullable(recordId),
    type: nullable(Type.String({ description: 'The singular name of a content type.' })),
    record: nullable(Type.String({ description: 'Null for a record that begins with the release.' })),
    field: Type.String({ description: 'A path such as `body[2].author`; empty: the whole record.' }),
    code: Type.String(),
    message: Type.String(),
  },
  { $id: 'ReleaseProblem', ...strict },
);

export const itemSchema = Type.Object(
  {
    id: Type.String({ description: 'Also the id that a record gets which begins with the release.' }),
    type: Type.String({ description: 'The singular name of a content type.' }),
    record: nullable(Type.String({ description: 'Null for a record that begins with the release.' })),
    language: nullable(
      Type.String({ description: 'The language that it is about; null where records of the type have one language.' }),
    ),
    action: Type.Enum([...itemActions]),
    changes: values,
    base: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the record held in these fields when they were changed here.',
    }),
    added_by: nullable(Type.String()),
    added_at: timeSchema,
  },
  { $id: 'ReleaseItem', ...strict },
);

const members = {
  id: recordId,
  name: Type.String(),
  description: Type.String(),
  status: Type.Enum([...releaseStatuses], { description: '`publishing`: a scheduled one whose time has come.' }),
  scheduled_at: nullable(timeSchema),
  time_zone: nullable(Type.String()),
  problems: Type.Array(problemSchema, { description: 'Why a scheduled one was not published.' }),
  reverts: nullable(Type.String({ description: 'The release that it takes back.' })),
  created_by: nullable(Type.String()),
  created_at: timeSchema,
  updated_at: timeSchema,
  published_at: nullable(timeSchema),
  published_by: nullable(Type.String()),
};

export const releaseSchema = Type.Object(members, { $id: 'Release', ...strict });

export const wholeReleaseSchema = Type.Object(
  { ...members, items: Type.Array(itemSchema, { description: 'In the order in which they were added.' }) },
  { $id: 'ReleaseWithItems', ...strict },
);

export const revertSchema = Type.Object(
  {
    ...members,
    items: Type.Array(itemSchema),
    conflicts: Type.Array(problemSchema, { description: 'What speaks against publishing it now.' }),
  },
  { $id: 'RevertingRelease', ...strict },
);

export const checkSchema = Type.Object(
  { ok: Type.Boolean({ description: 'Whether it could be published now.' }), problems: Type.Array(problemSchema) },
  { $id: 'ReleaseCheck', ...strict },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A release as the API shows it, with the problems that the caller may see. */
export const releaseJson = (
  release: Release,
  now: number,
  problems: readonly ReleaseProblem[],
): Static<typeof releaseSchema> => ({
  id: release.id,
  name: release.name,
  description: release.description,
  status: statusAt(release, now),
  scheduled_at: release.scheduledAt,
  time_zone: release.timeZone,
  problems: problems.map((problem) => ({ ...problem })),
  reverts: release.reverts,
  created_by: release.createdBy,
  created_at: timeOf(release.createdAt),
  updated_at: timeOf(release.updatedAt),
  published_at: release.publishedAt === null ? null : timeOf(release.publishedAt),
  published_by: release.publishedBy,
});

/** An item as the API shows it, with the values that the caller reads. */
export const itemJson = (item: ReleaseItem, sight: ReleaseSight): Static<typeof itemSchema> => ({
  id: item.id,
  type: item.type,
  record: item.record,
  language: sight.languageOf(item),
  action: item.action,
  changes: sight.values(item.type, item.changes),
  base: sight.values(item.type, item.base),
  added_by: item.addedBy,
  added_at: timeOf(item.addedAt),
});
