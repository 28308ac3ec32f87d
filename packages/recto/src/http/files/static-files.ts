import { realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { Problem } from '../../base/problem.ts';
import { namesTag } from '../../records/answers/answer.ts';
import type { Mount } from '../mount.ts';
import { addVary } from '../responses/answer-headers.ts';

export interface StaticFiles {
  /** `/admin`. */
  readonly prefix: string;
  readonly folder: string;
  /** The folder is inside of the executable, where there are no links to follow. */
  readonly embedded?: boolean;
  /** Begins the paths of files whose names change with their content, such as `/assets/`: clients keep these for a year. */
  readonly immutable?: string;
  /** The file that pages get which are no files, such as `index.html`: for an application that has routes of its own. */
  readonly fallback?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `app.js.br` and `app.js.gz`, where they are, are sent in the place of `app.js` to clients that read them. */
  readonly precompressed?: true;
}

/**
 * Serves the files of a folder, and of a folder in it its `index.html`, at a path that ends with a slash. Hidden files and links that lead out of the folder are not
 * there. Files may change while the service runs.
 */
export function staticFiles(options: StaticFiles): Mount {
  const tags = new Map<string, FileTag>();
  return {
    prefix: options.prefix,
    async handle({ request, path }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed();
      // Else the links of the page would lead beside it.
      if (path === '') return new Response(null, { status: 308, headers: { Location: `${options.prefix}/` } });
      const own = await fileAt(options, path);
      if (own === undefined && (await fileAt(options, `${path}/`)) !== undefined)
        return toFolder(request, options, path);
      const file = own ?? (await fallbackFor(request, path, options));
      if (file === undefined) throw new Problem(404, 'route_not_found', 'There is nothing at this path.');
      const { immutable, precompressed = false } = options;
      const kept = own !== undefined && immutable !== undefined && path.startsWith(immutable);
      const sent = precompressed ? await compressed(request, file) : { file };
      const headers = headersOf(file, await tagOf(sent.file, tags), kept, options.headers);
      if (precompressed) addVary(headers, 'Accept-Encoding');
      if (sent.encoding !== undefined) headers.set('Content-Encoding', sent.encoding);
      return answer(request, sent.file, headers);
    },
  };
}

/** Else the links of the folder's page would lead beside it. */
function toFolder(request: Request, { prefix }: StaticFiles, path: string): Response {
  // With a `Host` header that is no host, the address is none.
  const search = URL.parse(request.url, 'http://localhost')?.search ?? '';
  const location = `${prefix}${path.split('/').map(encodeURIComponent).join('/')}/${search}`;
  return new Response(null, { status: 308, headers: { Location: location } });
}

interface SentFile {
  readonly file: FoundFile;
  readonly encoding?: string;
}

/** The smallest form of a file that is there and that the caller reads. */
async function compressed(request: Request, file: FoundFile): Promise<SentFile> {
  const accepted = request.headers.get('accept-encoding') ?? '';
  for (const [encoding, ending] of encodings) {
    if (!readsEncoding(accepted, encoding)) continue;
    const found = await foundAt(`${file.path}${ending}`);
    // One that is older is of an earlier build.
    if (found !== undefined && found.changedAt >= file.changedAt) return { file: found, encoding };
  }
  return { file };
}

/** The smaller first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** RFC 9110, section 12.5.3: named, and not with a weight of 0. */
const readsEncoding = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';');
    return name.trim().toLowerCase() === encoding && !/^\s*q=0(?:\.0*)?\s*$/i.test(weight);
  });

interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
}

interface FileTag extends FoundFile {
  readonly etag: string;
}

const notAllowed = (): Problem =>
  new Problem(405, 'method_not_allowed', 'This path answers GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });

/** No part is empty, hidden, or one of `.` and `..`; none has what separates folders or streams on any system. */
const isPlain = (segment: string): boolean => /^[^./\\:\0][^/\\:\0]*$/.test(segment);

/** `path` begins with a slash. */
async function fileAt({ folder, embedded }: StaticFiles, path: string): Promise<FoundFile | undefined> {
  const name = path.endsWith('/') ? `${path}index.html` : path;
  const segments = name.slice(1).split('/');
  if (!segments.every(isPlain)) return undefined;
  try {
    const real = embedded === true ? async (one: string): Promise<string> => resolve(one) : realpath;
    const [root, target] = await Promise.all([real(folder), real(join(folder, ...segments))]);
    return target.startsWith(root + sep) ? await foundAt(target) : undefined;
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

async function foundAt(path: string): Promise<FoundFile | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? { path, bytes: found.size, changedAt: found.mtimeMs } : undefined;
  } catch (error) {
    return undefinedIfMissing(error);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && missing.has(error.code)) return undefined;
  throw error;
}

const missing: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** A missing image must not be answered with a page: only what asks for one gets it. */
async function fallbackFor(request: Request, path: string, options: StaticFiles) {
  const { fallback } = options;
  const asksForPage = request.headers.get('accept')?.includes('text/html') === true;
  const isPage = asksForPage && !/\.\w+$/.test(path);
  return fallback !== undefined && isPage ? fileAt(options, `/${fallback}`) : undefined;
}

/** Read once for each state of the file. */
async function tagOf(file: FoundFile, tags: Map<string, FileTag>): Promise<string> {
  const known = tags.get(file.path);
  if (known?.bytes === file.bytes && known.changedAt === file.changedAt) return known.etag;
  const bytes = await Bun.file(file.path).bytes();
  const etag = `"${Bun.hash(bytes).toString(36)}${Bun.hash(bytes, 1n).toString(36)}"`;
  tags.set(file.path, { ...file, etag });
  return etag;
}

function headersOf(file: FoundFile, etag: string, kept: boolean, headers: StaticFiles['headers']): Headers {
  return new Headers({
    'Content-Type': Bun.file(file.path).type,
    'Cache-Control': kept ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    ...headers,
  });
}

function answer(request: Request, file: FoundFile, headers: Headers): Response {
  const known = request.headers.get('if-none-match');
  if (known !== null && namesTag(known, headers.get('etag') ?? '', 'weak')) {
    headers.delete('content-type');
    return new Response(null, { status: 304, headers });
  }
  if (request.method === 'GET') return new Response(Bun.file(file.path), { headers });
  headers.set('Content-Length', String(file.bytes));
  return new Response(null, { headers });
}
