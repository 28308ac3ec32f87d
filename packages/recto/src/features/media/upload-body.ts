import type { ContentType, Field } from '../../definition/content-type.ts';
import { isLinked, kindOf } from '../../definition/stored-field.ts';
import type { PartSpec, UploadBody } from '../../http/bodies/body-spec.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { IngestedFile } from '../../media/ingest-file.ts';
import type { MediaWriter } from '../../media/media-writer.ts';

/** What a form may have besides its files: names of parts, boundaries and fields. */
const formOverhead = 4 * 1024 * 1024;

/** A file with the fields of its record. */
export function uploadBody(fields: readonly Field[], maxBytes: number): UploadBody {
  const parts: Record<string, PartSpec> = { file: { kind: 'file', required: true, maxBytes } };
  for (const field of fields) {
    parts[field.name] = {
      kind: 'field',
      ...(isList(field) ? { multiple: true } : {}),
      ...(field.description === undefined ? {} : { description: field.description }),
    };
  }
  return { kind: 'upload', form: { kind: 'multipart', parts, maxBytes: maxBytes + formOverhead }, maxBytes };
}

/** The fields that an upload can set. */
export const uploadFields = (type: ContentType): readonly Field[] => type.fields.filter(({ writable }) => writable);

const isList = (field: Field): boolean => isLinked(field) || field.type.filteredByElement;

export interface Upload {
  readonly file: IngestedFile;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const isForm = ({ headers }: Request): boolean =>
  /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '');

/** Reads an upload, whose bytes are stored when it resolves. Nothing is left in the storage where it rejects. */
export async function readUpload(
  context: RequestContext,
  writer: MediaWriter,
  fields: readonly Field[],
): Promise<Upload> {
  if (isForm(context.request)) return readForm(context, writer, fields);
  return { file: await writer.ingest(context.bytes()), payload: context.query };
}

async function readForm(context: RequestContext, writer: MediaWriter, fields: readonly Field[]): Promise<Upload> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const payload: Record<string, unknown> = { ...context.query };
  let file: IngestedFile | undefined;
  try {
    for await (const part of context.parts()) {
      if (part.kind === 'file') {
        file = await writer.ingest(part.bytes);
        payload.name ??= part.filename;
      } else {
        const field = byName.get(part.name);
        if (field !== undefined) take(payload, field, part.value);
      }
    }
  } catch (error) {
    if (file !== undefined) await writer.discard(file);
    throw error;
  }
  // The form's own check has found the part.
  if (file === undefined) throw new Error('A form without a file was accepted.');
  return { file, payload };
}

/** Adds a part's text as the value that JSON would have. */
function take(payload: Record<string, unknown>, field: Field, text: string): void {
  const { name } = field;
  if (!isList(field)) {
    payload[name] = fieldValue(field, text);
    return;
  }
  const before = payload[name];
  const items = listOf(text);
  payload[name] = Array.isArray(before) ? [...before, ...items] : items;
}

/** A JSON array, or one item. */
function listOf(text: string): readonly unknown[] {
  const parsed = text.startsWith('[') ? parsedJson(text) : undefined;
  if (Array.isArray(parsed)) return parsed;
  return text === '' ? [] : [text];
}

function fieldValue(field: Field, text: string): unknown {
  const kind = kindOf(field);
  switch (kind) {
    case 'integer':
    case 'float':
      return text === '' ? null : (numberOf(text) ?? text);
    case 'boolean':
      if (text === '') return null;
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'json': {
      const parsed = parsedJson(text);
      return text === '' ? null : parsed === undefined ? text : parsed;
    }
    case 'text':
      return text;
    default:
      return text === '' ? null : text;
  }
}

const numberOf = (text: string): number | undefined =>
  /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
