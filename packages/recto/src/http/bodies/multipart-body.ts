import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { badRequest, invalid, Problem } from '../../base/problem.ts';
import { bodyChunks, rejectEncoding, unsupportedMediaType } from './body-bytes.ts';
import type { FilePartSpec, MultipartBody, PartSpec } from './body-spec.ts';

/** One part of a form. */
export type Part = FieldPart | FilePart;

export interface FieldPart {
  readonly kind: 'field';
  readonly name: string;
  readonly value: string;
}

export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  /** As the client names it, without folders. */
  readonly filename: string;
  readonly mediaType: string;
  /** Read once, before the next part is asked for; what is left unread is skipped. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

const defaultMaxParts = 100;
const defaultFieldBytes = 64 * 1024;
/** Of the headers of one part. */
const headerBytes = 16 * 1024;
const headerPairs = 20;

/**
 * The parts of a `multipart/form-data` body, in their order and as they arrive: of a file, no more than a buffer is in memory. Rejects
 * what the operation does not take: 415 for another media type, 413 for too much, 400 for what is no such form, 422 for parts that are
 * not declared, or missing (known at the end). A reader that stops early reads no more of the body.
 */
export async function* readMultipart(request: Request, spec: MultipartBody): AsyncGenerator<Part, void, undefined> {
  const mediaType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;.*\bboundary=/is.test(mediaType))
    throw unsupportedMediaType('The body must be of the media type multipart/form-data, with its boundary.');
  rejectEncoding(request);
  const queue = new PartQueue();
  const parser = await parserOf(mediaType, spec, queue);
  const chunks = bodyChunks(request, spec.maxBytes);
  const pumped = pump(chunks, parser, queue);
  const seen = new Set<string>();
  try {
    for (let found = await queue.next(); found !== undefined; found = await queue.next()) {
      const part = checkedPart(found, spec, { seen, queue });
      seen.add(part.name);
      yield part;
      if ('stream' in found) found.stream.resume();
    }
    rejectMissing(spec, seen);
  } finally {
    queue.fail(new Error('Nothing reads the form any more.'));
    await pumped;
  }
}

/** A part as it comes from the parser. */
type RawPart =
  | { readonly name: string; readonly value: string; readonly truncated: boolean }
  | {
      readonly name: string;
      readonly stream: BusboyFileStream;
      readonly filename: string;
      readonly mediaType: string;
    };

async function parserOf(
  mediaType: string,
  { parts, maxParts = defaultMaxParts }: MultipartBody,
  queue: PartQueue,
): Promise<BusboyInstance> {
  // Loaded with the first form: most requests send none.
  const { Busboy } = await import('@fastify/busboy');
  const fieldSize = Math.max(...Object.values(parts).map(fieldBytes));
  const limits = { parts: maxParts, fieldSize, headerPairs, headerSize: headerBytes };
  const parser = newParser(() => new Busboy({ headers: { 'content-type': mediaType }, limits }));
  parser.on('field', (name, value, _, truncated) => queue.push({ name, value, truncated }));
  parser.on('file', (name, stream, filename, _, type) => queue.push({ name, stream, filename, mediaType: type }));
  parser.on('partsLimit', () =>
    queue.fail(new Problem(413, 'body_too_large', `The form has more than ${maxParts} parts.`)),
  );
  parser.on('error', () => queue.fail(malformed()));
  parser.on('finish', () => queue.end());
  return parser;
}

/** The constructor throws for boundaries that it cannot search for, such as those of more than 256 characters. */
function newParser(create: () => BusboyInstance): BusboyInstance {
  try {
    return create();
  } catch {
    throw badRequest('malformed_multipart', 'The boundary of the form cannot be used: RFC 2046 allows 70 characters.');
  }
}

const fieldBytes = (part: PartSpec): number => (part.kind === 'field' ? (part.maxBytes ?? defaultFieldBytes) : 0);

const malformed = (): Problem => badRequest('malformed_multipart', 'The body is not a complete multipart form.');

/** Writes the body into the parser, no faster than its parts are read. */
async function pump(chunks: AsyncGenerator<Uint8Array, void>, parser: BusboyInstance, queue: PartQueue): Promise<void> {
  try {
    for (;;) {
      // A client that sends nothing does not delay the error response.
      const next = await queue.unlessFailed(chunks.next());
      if (next === undefined || queue.failed) break;
      if (next.done === true) return void parser.end();
      if (!parser.write(next.value)) await queue.unlessFailed(drained(parser));
    }
    void chunks.return();
  } catch (error) {
    queue.fail(error);
  }
}

const drained = (parser: BusboyInstance): Promise<void> => new Promise((resolve) => parser.once('drain', resolve));

/** Parts that wait to be read. */
class PartQueue {
  readonly #waiting: RawPart[] = [];
  #last: BusboyFileStream | undefined;
  #wake: (() => void) | undefined;
  #stop: (() => void) | undefined;
  #ended = false;
  #error: { readonly reason: unknown } | undefined;

  get failed(): boolean {
    return this.#error !== undefined;
  }

  /** Why; for the reader of a file that ended with it. */
  get reason(): unknown {
    return this.#error?.reason;
  }

  push(part: RawPart): void {
    if ('stream' in part) {
      this.#last = part.stream;
      // Reported where it is read; without a listener it would end the process.
      part.stream.on('error', () => this.fail(malformed()));
    }
    this.#waiting.push(part);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /**
   * What `work` resolves with, or undefined where the form fails before. For one at a time. A race against a promise of the failure
   * would keep all results in memory until the form ends.
   */
  unlessFailed<T>(work: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      if (this.failed) this.#stop();
      work.then(resolve, reject);
    });
  }

  /** Also ends a file that is being read. The first reason counts. */
  fail(reason: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = { reason };
    this.#stop?.();
    this.#last?.destroy(new Error('The form failed.'));
    this.#wake?.();
  }

  /** Undefined at the end of the form. */
  async next(): Promise<RawPart | undefined> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error.reason;
      const part = this.#waiting.shift();
      if (part !== undefined || this.#ended) return part;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

interface FormState {
  readonly seen: ReadonlySet<string>;
  readonly queue: PartQueue;
}

function checkedPart(found: RawPart, spec: MultipartBody, state: FormState): Part {
  const { name } = found;
  const declared = Object.hasOwn(spec.parts, name) ? spec.parts[name] : undefined;
  if (declared === undefined) throw partError(name.slice(0, 100), 'unknown_field', 'The form has no such part.');
  if (state.seen.has(name) && declared.multiple !== true)
    throw partError(name, 'too_many_items', 'This part may be there once.');
  if ('value' in found) {
    if (declared.kind !== 'field') throw partError(name, 'wrong_type', 'Must be a file.');
    const limit = declared.maxBytes ?? defaultFieldBytes;
    if (found.truncated || Buffer.byteLength(found.value) > limit) throw partTooLarge(name, limit);
    return { kind: 'field', name, value: found.value };
  }
  if (declared.kind !== 'file') throw partError(name, 'wrong_type', 'Must be a text.');
  return checkedFile(found, declared, spec, state);
}

function checkedFile(
  { name, stream, filename, mediaType }: Extract<RawPart, { stream: unknown }>,
  { mediaTypes, maxBytes }: FilePartSpec,
  spec: MultipartBody,
  state: FormState,
): FilePart {
  if (mediaTypes !== undefined && !mediaTypes.includes(mediaType.toLowerCase()))
    throw partError(name, 'not_allowed', `Must be of the media type ${mediaTypes.join(' or ')}.`);
  const bytes = fileBytes(stream, name, maxBytes ?? spec.maxBytes, state);
  return { kind: 'file', name, filename: filename ?? '', mediaType, bytes };
}

async function* fileBytes(
  stream: BusboyFileStream,
  name: string,
  limit: number,
  { queue }: FormState,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  try {
    // A reader that breaks off leaves the rest to be skipped, which a stream that is destroyed could not be.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > limit) throw partTooLarge(name, limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Problem ? error : (queue.reason ?? error);
  }
}

function rejectMissing({ parts }: MultipartBody, seen: ReadonlySet<string>): void {
  const missing = Object.entries(parts).filter(([name, { required }]) => required === true && !seen.has(name));
  if (missing.length === 0) return;
  throw invalid(missing.map(([field]) => ({ field, code: 'required', message: `${field} is required.` })));
}

const partError = (field: string, code: string, message: string): Problem => invalid([{ field, code, message }]);

const partTooLarge = (name: string, limit: number): Problem =>
  new Problem(
    413,
    'body_too_large',
    `The part "${name}" is larger than ${limit} bytes, which is the most that is taken.`,
  );
