import { RectoError } from '@recto/client';
import { tagOf } from '../api/tag-of.ts';
import type { Act, Loaded, SaveRequest, Values } from './editing-state.ts';
import type { RecordService } from './record-service.ts';
import { DraftConflict, StaleRecord } from './refusal.ts';
import { sameValue } from './same-value.ts';

/** A part of the client: any route, with the headers of its response. */
export interface Requests {
  request<Result>(
    method: string,
    path: string,
    options: {
      readonly query?: {
        readonly draft?: true | undefined;
        readonly autosave?: boolean;
        readonly language?: string | undefined;
      };
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string | undefined>>;
    },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result>;
}

/** What saving has to know of a content type. */
export interface SavedType {
  /** Below `/api/v1`: `/admin/cms/articles`. */
  readonly path: string;
  /** Where its records are created, where that is another path. */
  readonly creationPath?: string;
  /** The status of published records, where they may have drafts; otherwise null. */
  readonly published: string | null;
  /** Whether versions of its records are kept. */
  readonly hasRevisions: boolean;
  /** The language that is read and written; absent: the default one. */
  readonly language?: string | undefined;
}

interface Answer {
  readonly record: Values;
  readonly tag: string | null;
  readonly isReplay: boolean;
}

const draftQuery = { draft: true } as const;

const answerOf = async (response: Response): Promise<Answer> => ({
  // The routes return a record.
  record: (await response.json()) as Values,
  tag: tagOf(response),
  isReplay: response.headers.get('idempotent-replayed') === 'true',
});

/** The record itself, by its routes for editors. */
export class ClientRecordService implements RecordService {
  readonly #client: Requests;
  readonly #type: SavedType;

  constructor(client: Requests, type: SavedType) {
    this.#client = client;
    this.#type = type;
  }

  async read(id: string): Promise<Loaded> {
    const own = await this.#get(id, false);
    // A draft is read by its own address, which has its own tag.
    if (!this.#isPublished(own.record) || draftOf(own.record) === null) return this.#loaded(own);
    return this.#loaded(await this.#get(id, true));
  }

  async send(request: SaveRequest): Promise<Loaded> {
    const { id, target, tag, key, act } = request;
    if (act !== null && id !== null) return this.#act(id, act, request);
    const body = { ...request.values, ...request.more };
    const headers = { 'If-Match': tag ?? undefined, 'Idempotency-Key': key };
    if (id === null || target === 'create') return this.#create({ body, headers });
    const query = this.#query(request);
    const answer = await this.#send('PUT', `/${id}`, { query, body, headers });
    // The answer is the record itself. Where it has a draft, the form shows that.
    const isOther = target === 'record' && this.#isPublished(answer.record) && draftOf(answer.record) !== null;
    return isOther ? this.#readLater(id) : this.#loaded(answer);
  }

  async #create(options: Parameters<Requests['request']>[2]): Promise<Loaded> {
    // What is said in another language would become what the record says in the default one.
    if (this.#type.language !== undefined) throw new Error('A record begins in the default language.');
    const { path, creationPath = path } = this.#type;
    const made = await this.#client.request('POST', creationPath, options, answerOf);
    if (creationPath === path) return this.#loaded(made);
    // What others get is not the record as editors have it, nor has it their tag.
    return { ...(await this.#readLater(String(made.record.id))), isReplay: made.isReplay };
  }

  async #act(id: string, act: Act, { key, tag, target }: SaveRequest): Promise<Loaded> {
    const headers = { 'If-Match': (await this.#unchanged(id, tag, target === 'draft')) ?? undefined };
    const keyed = { ...headers, 'Idempotency-Key': key };
    switch (act.name) {
      case 'publish':
        return this.#loaded(await this.#publish(id, keyed));
      case 'unpublish':
        return this.#unpublish(id, act.body ?? {}, keyed);
      case 'discard-draft':
        await this.#done('DELETE', `/${id}/draft`, headers);
        return this.#readLater(id);
      case 'restore':
        await this.#send('POST', `/${id}/revisions/${String(act.body?.revision)}/restore`, { headers: keyed });
        return this.#readLater(id);
      default:
        throw new Error(`Nothing is called ${act.name}.`);
    }
  }

  async #publish(id: string, headers: Readonly<Record<string, string | undefined>>): Promise<Answer> {
    try {
      return await this.#send('POST', `/${id}/publish`, { headers });
    } catch (error) {
      if (!(error instanceof RectoError) || !error.is('draft_conflict')) throw error;
      const { record } = await this.#get(id, false);
      const base = draftOf(record)?.base ?? {};
      const changed = Object.keys(base).filter((name) => !sameValue(base[name], record[name]));
      throw new DraftConflict(Object.fromEntries(changed.map((name) => [name, record[name] ?? null])));
    }
  }

  /** What was drafted becomes part of the record, which nobody sees any more. */
  async #unpublish(id: string, body: Values, headers: Readonly<Record<string, string | undefined>>): Promise<Loaded> {
    const { record } = await this.#get(id, false);
    const draft = draftOf(record);
    const answer = await this.#send('PUT', `/${id}`, { body: { ...draft?.changes, ...body }, headers });
    if (draft === null) return this.#loaded(answer);
    await this.#done('DELETE', `/${id}/draft`, {}).catch((error: unknown) => {
      if (!(error instanceof RectoError) || error.status !== 404) throw error;
    });
    return this.#readLater(id);
  }

  /** What there is after a request whose answer does not say it. */
  async #readLater(id: string): Promise<Loaded> {
    return { ...(await this.read(id)), isLater: true };
  }

  /** The tag of the record itself, if what the form shows is still as it was read. */
  async #unchanged(id: string, tag: string | null, isDraft: boolean): Promise<string | null> {
    if (!isDraft) return tag;
    // In this order: what changes between the two requests makes the first tag stale.
    const own = await this.#get(id, false);
    if (own.tag === tag) return own.tag;
    const draft = await this.#get(id, true);
    if (draft.tag !== tag) throw new StaleRecord();
    return own.tag;
  }

  #get(id: string, draft: boolean): Promise<Answer> {
    return this.#send('GET', `/${id}`, { query: draft ? draftQuery : {} });
  }

  #send(method: string, path: string, options: Parameters<Requests['request']>[2]): Promise<Answer> {
    const { language } = this.#type;
    const named = language === undefined ? options : { ...options, query: { ...options.query, language } };
    return this.#client.request(method, this.#type.path + path, named, answerOf);
  }

  #done(method: string, path: string, headers: Readonly<Record<string, string | undefined>>): Promise<void> {
    const options = { headers, query: { language: this.#type.language } };
    return this.#client.request(method, this.#type.path + path, options, async () => undefined);
  }

  #query({ target, autosave }: SaveRequest) {
    if (target === 'draft') return draftQuery;
    return autosave === undefined || !this.#type.hasRevisions ? {} : { autosave };
  }

  #isPublished(record: Values): boolean {
    return this.#type.published !== null && record.status === this.#type.published;
  }

  #loaded({ record, tag, isReplay }: Answer): Loaded {
    const target = this.#isPublished(record) ? 'draft' : 'record';
    return { id: String(record.id), record, tag, target, isReplay };
  }
}

interface Draft {
  readonly changes: Values;
  readonly base: Values;
}

/** The draft of a record, as the admin routes show it. */
export function draftOf(record: Values): Draft | null {
  const { __draft: draft } = record;
  // The service writes this column.
  return typeof draft === 'object' && draft !== null ? (draft as Draft) : null;
}
