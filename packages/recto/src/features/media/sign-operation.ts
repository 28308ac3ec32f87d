import Type from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { json } from '../../http/responses/json-response.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { fileUrl, mediaPath, presetVersion, variantTail } from '../../media/media-address.ts';
import type { MediaFiles } from '../../media/media-files.ts';
import type { ServeParts } from './serve-operations.ts';

const longestSeconds = 7 * 24 * 60 * 60;

const body = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 1,
      maximum: longestSeconds,
      description: 'For how long the address leads to the file.',
    }),
  },
  { $id: 'MediaSigning', additionalProperties: false },
);

const signed = Type.Object(
  {
    url: Type.String({ description: 'The address of the file.' }),
    variants: Type.Record(Type.String(), Type.String(), { description: 'Those of its variants, by preset.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'SignedMedia' },
);

interface SignParts extends Pick<ServeParts, 'signer' | 'presets'> {
  readonly type: ContentType;
  readonly files: MediaFiles;
}

/** Addresses that lead to a private file without a token, for a while. */
export const signOperation = ({ type, files, signer, presets }: SignParts): Operation => ({
  id: 'signMedia',
  method: 'POST',
  path: '/api/v1/media/{id}/sign',
  tag: type.name,
  summary: 'Sign the addresses of a file',
  description: 'For callers who may read the record. Whoever has the addresses can get the file until they expire.',
  security: 'bearer',
  params: idParams,
  body: { schema: body, validation: 'schema' },
  responses: { 200: { description: 'The addresses.', schema: signed } },
  problems: [400, 404, 422, 503],
  async handle(context) {
    const { seconds } = await context.body();
    const id = context.param('id');
    const file = await files.get(id, context.caller, false);
    // The schema takes nothing but integers.
    const expires = Math.floor(Date.now() / 1000) + Number(seconds);
    const { signature } = signer.sign(id, expires);
    const ending = `&expires=${expires}&signature=${signature}`;
    const tail = variantTail(file);
    const variants = Object.entries(tail === null ? {} : presets).map(([name, preset]) => [
      name,
      `${mediaPath}/${id}/${name}/${tail}${presetVersion(preset)}${ending}`,
    ]);
    return json(200, {
      url: `${fileUrl(file)}${ending}`,
      variants: Object.fromEntries(variants),
      expires_at: new Date(expires * 1000).toISOString(),
    });
  },
});
