import type { TSchema } from 'typebox';

/** What an operation takes as its request's body. */
export type BodySpec = JsonBody | MultipartBody | StreamBody | UploadBody;

/** A JSON object of at most RECTO_MAX_BODY bytes. `'own'`: only that it is an object is checked, the handler does the rest (records). */
export interface JsonBody {
  readonly kind?: 'json';
  readonly schema: TSchema;
  readonly validation: 'schema' | 'own';
  /** Whether an object in it may name a member twice, of which the last counts; default: it may. */
  readonly repeatedNames?: 'refused';
}

/** A form with files (`multipart/form-data`, RFC 7578), read part by part as it arrives. */
export interface MultipartBody {
  readonly kind: 'multipart';
  /** The parts by name. Any other is an error. */
  readonly parts: Readonly<Record<string, PartSpec>>;
  /** The limit for the complete body. */
  readonly maxBytes: number;
  /** How many parts there may be; default: 100. */
  readonly maxParts?: number;
}

export type PartSpec = FieldPartSpec | FilePartSpec;

interface CommonPart {
  readonly description?: string;
  /** Default: it may be left out. */
  readonly required?: boolean;
  /** Default: it may be there once. */
  readonly multiple?: boolean;
  /** Default: 64 KiB for a field, what the body may have for a file. */
  readonly maxBytes?: number;
}

/** A text. */
export interface FieldPartSpec extends CommonPart {
  readonly kind: 'field';
}

export interface FilePartSpec extends CommonPart {
  readonly kind: 'file';
  /** As the client names it, which may be wrong; default: any. */
  readonly mediaTypes?: readonly string[];
}

/** Bytes, read as they arrive. */
export interface StreamBody {
  readonly kind: 'stream';
  /** `*` takes any. */
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
}

/** A file: as a part of a form, or its bytes alone with any other media type. */
export interface UploadBody {
  readonly kind: 'upload';
  readonly form: MultipartBody;
  /** Of the bytes alone. */
  readonly maxBytes: number;
}

export const isJsonBody = (body: BodySpec): body is JsonBody => body.kind === undefined || body.kind === 'json';
