import Type from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import { longestLabel, longestShare, type Preview, previewScopes } from '../../previews/preview.ts';
import { datetimePattern } from '../../values/text-patterns.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const strict = { additionalProperties: false } as const;

const language = Type.String({ maxLength: 35, description: 'The tag of a language.' });
const typeName = Type.String({ maxLength: 100, description: 'The singular name of a content type.' });

export const newPreview = {
  type: typeName,
  id: Type.Optional(
    Type.String({
      maxLength: 36,
      description: 'The record, or the item of a release that the record begins with. Left out for a single type.',
    }),
  ),
  scope: Type.Optional(
    Type.Enum([...previewScopes], {
      description: '`record`: this record and nothing else. `site`: everything that waits to be published.',
    }),
  ),
  language: Type.Optional(language),
  release: Type.Optional(
    Type.String({ maxLength: 36, description: 'The release whose changes it shows, in place of drafts.' }),
  ),
  at: Type.Optional(
    Type.String({
      ...{ format: 'date-time', pattern: datetimePattern, maxLength: 40 },
      description:
        'A time to come, such as `2031-03-30T09:00:00Z`: shows records as they will stand then, and nothing that nobody has planned.',
    }),
  ),
  share: Type.Optional(Type.Boolean({ description: 'Whether it is a link for people without an account.' })),
  seconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: longestShare, description: 'With `share`: how long the link holds.' }),
  ),
  label: Type.Optional(
    Type.String({ minLength: 1, maxLength: longestLabel, description: 'With `share`: what the link is called.' }),
  ),
};

export const previewSchema = Type.Object(
  {
    url: Type.String({ description: 'The page that shows it. The token is behind its `#`, if it is in it.' }),
    token: Type.String({ description: 'Returned here alone.' }),
    expires_at: timeSchema,
  },
  { $id: 'Preview', ...strict },
);

export const previewLinkSchema = Type.Object(
  {
    id: recordId,
    label: Type.String(),
    type: typeName,
    record: Type.String(),
    language: nullable(language),
    release: nullable(Type.String()),
    created_by: nullable(Type.String({ description: 'The id of the account or API token.' })),
    created_at: timeSchema,
    expires_at: timeSchema,
  },
  { $id: 'PreviewLink', ...strict },
);

const time = (at: number): string => new Date(at).toISOString();

export const previewLinkJson = (preview: Preview) => ({
  id: preview.id,
  label: preview.label ?? '',
  type: preview.type,
  record: preview.record,
  language: preview.language,
  release: preview.release,
  created_by: preview.by.id,
  created_at: time(preview.createdAt),
  expires_at: time(preview.expiresAt),
});
