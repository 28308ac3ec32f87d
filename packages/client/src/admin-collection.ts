import type { ChangeOptions, CreateOptions } from './collection.ts';
import type { Page } from './content.ts';
import { RecordWriter } from './record-writer.ts';
import type { CallOptions } from './transport.ts';

/** One version of a record, as the list of revisions shows it. */
export interface Revision {
  readonly revision: number;
  readonly action: string;
  readonly [member: string]: unknown;
}

/** An operation of JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface BatchResult {
  readonly action: string;
  readonly affected: number;
}

/** What the admin routes do with one record, or many, beyond reading and writing. */
export class AdminRecords extends RecordWriter {
  /** Takes back a soft delete. */
  restore = (id: string, options?: CreateOptions): Promise<object> => this.#action(id, 'restore', options);

  /** Removes a deleted record for good. */
  purge = (id: string, options: CallOptions = {}): Promise<void> =>
    this.transport.json('DELETE', this.of(id, '/purge'), options);

  /** Publishes a record, or its draft. */
  publish = (id: string, options?: CreateOptions): Promise<object> => this.#action(id, 'publish', options);

  /** Sets the status of a page, a post or a comment. */
  status = (id: string, status: string, options: CallOptions = {}): Promise<object> => {
    this.tags.forget(this.of(id));
    return this.transport.json('PUT', this.of(id, '/status'), { ...options, body: { status } });
  };

  /** The next version of a published record, seen by editors until it is published. */
  draft = (id: string) => ({
    get: (options: CallOptions = {}): Promise<object> =>
      this.transport.json('GET', this.of(id), { ...options, query: { draft: true } }),
    update: (changes: object, options: ChangeOptions = {}): Promise<object> =>
      this.change('PUT', this.of(id), changes, { ...options, query: { draft: true } }),
    discard: (options: CallOptions = {}): Promise<void> =>
      this.transport.json('DELETE', this.of(id, '/draft'), options),
  });

  revisions = (id: string) => ({
    list: (
      options: CallOptions & { readonly page?: number; readonly page_size?: number } = {},
    ): Promise<Page<Revision>> => {
      const { page, page_size, ...rest } = options;
      return this.transport.json('GET', this.of(id, '/revisions'), { ...rest, query: { page, page_size } });
    },
    get: (revision: number, options: CallOptions = {}): Promise<Revision & { readonly record: object }> =>
      this.transport.json('GET', this.of(id, `/revisions/${revision}`), options),
    diff: (from: number, to: number, options: CallOptions = {}): Promise<readonly PatchOperation[]> =>
      this.transport.json('GET', this.of(id, `/revisions/${from}/diff/${to}`), options),
    restore: (revision: number, options: CreateOptions = {}): Promise<object> => {
      this.tags.forget(this.of(id));
      return this.act(this.of(id, `/revisions/${revision}/restore`), undefined, options);
    },
  });

  /** One action on many records, all or nothing. */
  batch = (batch: object, options: CreateOptions = {}): Promise<BatchResult> =>
    this.act(this.of(undefined, '/batch'), batch, options);

  /** Moves a record of a tree. */
  move = (id: string, to: object, options?: CreateOptions): Promise<object> =>
    this.act(this.of(id, '/move'), to, options);

  #action(id: string, name: string, options?: CreateOptions): Promise<object> {
    this.tags.forget(this.of(id));
    return this.act(this.of(id, `/${name}`), undefined, options);
  }
}
