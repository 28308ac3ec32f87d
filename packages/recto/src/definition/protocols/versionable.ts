import Type from 'typebox';
import { defineProtocol } from '../protocol.ts';
import { publishedStateOf } from '../published-state.ts';
import { draftColumn, draftField } from './draft-field.ts';

const usualKeep = 100;

/**
 * Every version of a record is kept, with who wrote it and when: the last `keep` of them, and none that is older than
 * `max_age_days`, but always the newest. With `drafts`, editors write the next version of a published record beside it.
 */
export const versionable = defineProtocol({
  name: 'versionable',
  options: Type.Object(
    {
      keep: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      max_age_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
      drafts: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  checkFields(_, { drafts }, protocols) {
    if (drafts !== true || publishedStateOf(protocols) !== undefined) return [];
    const message =
      'a draft is the next version of a published record, and no state of this type is that of published ones';
    const remedy =
      'add the protocol statusable, which has the state "published" or names another by its option "published"';
    return [{ option: 'drafts', message, remedy }];
  },
  fields: ({ drafts }) => (drafts === true ? [draftField] : []),
  visible: ({ drafts }) =>
    drafts === true
      ? {
          condition: null,
          hiddenFrom: 'everyone',
          parameter: {
            name: 'has_draft',
            description: 'Records with a draft alone (`true`), or those without (`false`).',
            choices: { true: `${draftColumn} != null`, false: `${draftColumn} = null` },
          },
        }
      : undefined,
  revisions: ({ keep, max_age_days: days }) => ({
    keep: typeof keep === 'number' ? keep : usualKeep,
    maxAgeDays: typeof days === 'number' ? days : null,
  }),
  byLanguage: ({ drafts }) => (drafts === true ? [draftColumn] : []),
  draftColumn: ({ drafts }) => (drafts === true ? draftColumn : undefined),
});
