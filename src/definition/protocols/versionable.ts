import Type from 'typebox';
import type { Protocol } from '../protocol.ts';

const usualKeep = 100;

/**
 * Every version of a record is kept, with who wrote it and when: the last `keep` of them, and none that is older than
 * `max_age_days`, but always the newest.
 */
export const versionable: Protocol = {
  name: 'versionable',
  options: Type.Object(
    {
      keep: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      max_age_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
    },
    { additionalProperties: false },
  ),
  fields: () => [],
  revisions: ({ keep, max_age_days: days }) => ({
    keep: typeof keep === 'number' ? keep : usualKeep,
    maxAgeDays: typeof days === 'number' ? days : null,
  }),
};
