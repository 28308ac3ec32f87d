import Type from 'typebox';
import { notFound, Problem } from '../../base/problem.ts';
import type { MediaPresets } from '../../config/media-presets.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { withEnding } from '../../media/file-name.ts';
import { fileVersion, isRaster, mediaPath, presetVersion, variantVersion } from '../../media/media-address.ts';
import type { MediaFiles, ServedFile } from '../../media/media-files.ts';
import type { MediaSigner } from '../../media/media-signer.ts';
import { endingOf, mediaTypeOfFormat, variantFormat } from '../../media/variant-format.ts';
import type { Variants } from '../../media/variants.ts';
import type { Storage } from '../../storage/storage.ts';
import { type SentFile, sendFile } from './send-file.ts';

export interface ServeParts {
  readonly files: MediaFiles;
  readonly storage: Storage;
  readonly variants: Variants;
  readonly signer: MediaSigner;
  readonly presets: MediaPresets;
}

/** The addresses that records show are below `/media`; the same files are below `/api/v1/media`. */
const bases = [
  { base: mediaPath, id: 'Media' },
  { base: '/api/v1/media', id: 'ApiMedia' },
] as const;

const query = {
  validation: 'schema',
  schema: Type.Object({
    v: Type.Optional(
      Type.String({ description: 'The version in the addresses of records, for caches.', maxLength: 64 }),
    ),
    expires: Type.Optional(Type.Integer({ description: 'Of a signed address.', minimum: 0 })),
    signature: Type.Optional(Type.String({ description: 'Of a signed address.', maxLength: 100 })),
    download: Type.Optional(Type.Boolean({ description: 'Send it as an attachment.' })),
  }),
} as const;

const variantQuery = {
  validation: 'schema',
  schema: Type.Object({
    ...query.schema.properties,
    crop: Type.Optional(Type.Literal('none', { description: 'Make the variant as if the image had no crop.' })),
  }),
} as const;

const name = Type.String({ description: 'The name of the file; any other leads to the same file.' });
const preset = Type.String({ description: 'The name of a preset, such as `thumb`.' });

/** A year, as the standard for caches advises at most. */
const forever = 'public, max-age=31536000, immutable';

/** The routes that answer with bytes. */
export const serveOperations = (parts: ServeParts): readonly Operation[] =>
  bases.flatMap(({ base, id }) => [
    {
      ...shared,
      id: `get${id}File`,
      path: `${base}/{id}/{name}`,
      summary: 'Get a file',
      params: { ...idParams, name },
      handle: (context) => original(context, parts),
    },
    {
      ...shared,
      id: `get${id}Variant`,
      path: `${base}/{id}/{preset}/{name}`,
      summary: 'Get a variant of an image',
      params: { ...idParams, preset, name },
      query: variantQuery,
      handle: (context) => variant(context, parts),
    },
  ]);

const fileHeaders = {
  ETag: { description: 'Entity tag of the bytes; strong.' },
  'Content-Disposition': { description: '`inline` for images, video, audio and PDF; else `attachment`.' },
  'Cache-Control': { description: 'For a year where `v` names this version of a public file.' },
} as const;

const shared = {
  method: 'GET',
  tag: 'Media',
  description:
    'Answers `Range` requests. Private files are 404 without a token that may read them or a signed address.',
  security: 'optional',
  query,
  headers: {
    Range: Type.String({ description: 'The bytes that are wanted: one range.' }),
    'If-Range': Type.String({ description: 'The entity tag for which the range is meant.' }),
  },
  responses: {
    200: { description: 'The bytes.', mediaType: '*/*', headers: fileHeaders },
    206: {
      description: 'The bytes of the range.',
      mediaType: '*/*',
      headers: { ...fileHeaders, 'Content-Range': { description: 'Which bytes these are.' } },
    },
    304: { description: 'The client has the current bytes already (`If-None-Match`).' },
  },
  problems: [404, 416, 503, 507],
} as const satisfies Partial<Operation>;

/** The file of the record, if the caller may read it, and whether the address was signed. */
async function requested(context: RequestContext, { files, signer }: ServeParts) {
  const id = context.param('id');
  const { expires, signature } = context.query;
  const signed =
    typeof expires === 'number' &&
    typeof signature === 'string' &&
    signer.accepts(id, { expires, signature }, Date.now());
  return { file: await files.get(id, context.caller, signed), until: signed ? expires : undefined };
}

async function original(context: RequestContext, parts: ServeParts): Promise<Response> {
  const { file, until } = await requested(context, parts);
  const isVersioned = context.query.v === fileVersion(file);
  const isDownload = context.query.download === true;
  const sent = remembered(file, `|${isVersioned}|${isDownload}`, () => ({
    ...file,
    etag: `"${file.hash.slice(0, 40)}"`,
    cacheControl: cacheControl(file, isVersioned, until),
    negotiated: false,
    isDownload,
  }));
  return sendFile(context, parts.storage, sent);
}

async function variant(context: RequestContext, parts: ServeParts): Promise<Response> {
  const { presets, variants, storage } = parts;
  const wanted = context.param('preset');
  const preset = Object.hasOwn(presets, wanted) ? presets[wanted] : undefined;
  if (preset === undefined) throw notFound('There is no such preset.');
  const { file: stored, until } = await requested(context, parts);
  const file = context.query.crop === 'none' ? uncropped(stored) : stored;
  if (!isRaster(file.mimeType)) throw notFound('No variants are made of files of this type.');
  const format = variantFormat(preset, file.mimeType, context.request.headers.get('accept'));
  const send = async (): Promise<Response> => {
    const making = variants.get(file, preset, format);
    const made = making instanceof Promise ? await making : making;
    const current = `${versionOf(file)}-${presetVersion(preset)}`;
    const isVersioned = context.query.v === current;
    const isDownload = context.query.download === true;
    const sent = remembered(file, `${wanted}|${format}|${isVersioned}|${isDownload}|${made.size}`, () => ({
      key: made.key,
      size: made.size,
      mimeType: mediaTypeOfFormat(format),
      name: withEnding(file.name, endingOf(format)),
      etag: `"${current}-${endingOf(format)}"`,
      cacheControl: cacheControl(file, isVersioned, until),
      negotiated: preset.format === 'auto',
      isDownload,
    }));
    return sendFile(context, storage, sent, made.bytes).catch((error: unknown) => {
      // Known here, but not in the storage any more, it is made again.
      variants.forget(made);
      throw error;
    });
  };
  return send().catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'storage_unavailable') return send();
    throw error;
  });
}

const uncropped = (file: ServedFile): ServedFile => (file.crop === null ? file : { ...file, crop: null });

/** What is the same for each answer with a file. Files are new objects when their records change. */
const answers = new WeakMap<ServedFile, Map<string, SentFile>>();

function remembered(file: ServedFile, key: string, make: () => SentFile): SentFile {
  // How long a private file may be kept changes with each request.
  if (!file.isPublic) return make();
  const own = answers.get(file) ?? new Map<string, SentFile>();
  answers.set(file, own);
  const known = own.get(key);
  if (known !== undefined) return known;
  const made = make();
  own.set(key, made);
  return made;
}

const versions = new WeakMap<ServedFile, string>();

function versionOf(file: ServedFile): string {
  const known = versions.get(file);
  if (known !== undefined) return known;
  const version = variantVersion(file);
  versions.set(file, version);
  return version;
}

/** `until`: when a signed address ends, in seconds since 1970. */
function cacheControl({ isPublic }: ServedFile, isVersioned: boolean, until: number | undefined): string {
  if (!isPublic) {
    // Under the address of another version it would be taken for that one later.
    const seconds = until === undefined || !isVersioned ? 0 : Math.floor(until - Date.now() / 1000);
    return seconds > 0 ? `private, max-age=${seconds}` : 'private, no-cache';
  }
  return isVersioned ? forever : 'no-cache';
}
