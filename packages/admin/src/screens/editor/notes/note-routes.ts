import { adminPath } from '../../../api/admin-path.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import { session } from '../../../app/session.svelte.ts';

/** The words of a field that a note is about, and some of what stands around them. */
export interface Quote {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
}

export interface Note {
  readonly id: string;
  /** A path such as `body[2].title`; null: the whole record. */
  readonly field: string | null;
  readonly language: string | null;
  readonly quote: Quote | null;
  readonly text: string;
  readonly mentions: readonly string[];
  readonly parent_id: string | null;
  readonly author: string;
  readonly created_at: string;
  readonly updated_at: string | null;
  /** Of a first note, when its thread was closed. */
  readonly resolved_at: string | null;
}

export type NewNote = Pick<Note, 'text' | 'mentions'> &
  Partial<Pick<Note, 'field' | 'language' | 'quote' | 'parent_id'>>;

export interface Person {
  readonly id: string;
  readonly name: string;
}

const listOf = (type: ContentTypeInfo, id: string): string => `${adminPath(type)}/${encodeURIComponent(id)}/notes`;
const one = (id: string): string => `/admin/notes/${encodeURIComponent(id)}`;

export const noteRoutes = {
  list: (type: ContentTypeInfo, id: string, background: boolean) =>
    session.client.request<{ readonly items: readonly Note[] }>('GET', listOf(type, id), { background }),
  /** `key`: equal for the same note that is sent again. */
  create: (type: ContentTypeInfo, id: string, body: NewNote, key: string) =>
    session.client.request<Note>('POST', listOf(type, id), { headers: { 'Idempotency-Key': key }, body: { ...body } }),
  update: (id: string, body: Pick<Note, 'text' | 'mentions'>) =>
    session.client.request<Note>('PUT', one(id), { body: { ...body } }),
  remove: (id: string) => session.client.request<void>('DELETE', one(id)),
  resolve: (id: string, resolved: boolean) =>
    session.client.request<Note>('POST', `${one(id)}/resolve`, { body: { resolved } }),
  people: (search: string, signal?: AbortSignal) =>
    session.client.request<{ readonly items: readonly Person[] }>('GET', '/admin/people', {
      query: { search },
      ...(signal ? { signal } : {}),
    }),
};
