import { session } from '../app/session.svelte.ts';
import type { NumberedPage } from './admin-routes.ts';
import { newId } from './new-id.ts';

export const itemActions = ['publish', 'unpublish', 'archive', 'delete'] as const;
export type ItemAction = (typeof itemActions)[number];

export type ReleaseStatus = 'open' | 'scheduled' | 'publishing' | 'done' | 'failed';

export interface ReleaseProblem {
  readonly item: string | null;
  readonly type: string | null;
  readonly record: string | null;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ReleaseItem {
  readonly id: string;
  /** The singular name of a content type. */
  readonly type: string;
  /** Null for a record that begins with the release. */
  readonly record: string | null;
  /** The tag of the language that it is about; null where records of the type have one. */
  readonly language: string | null;
  readonly action: ItemAction;
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface Release {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: ReleaseStatus;
  readonly scheduled_at: string | null;
  readonly time_zone: string | null;
  readonly problems: readonly ReleaseProblem[];
  readonly reverts: string | null;
  readonly created_at: string;
  readonly published_at: string | null;
}

export type WholeRelease = Release & { readonly items: readonly ReleaseItem[] };

export interface ReleaseCheck {
  readonly ok: boolean;
  readonly problems: readonly ReleaseProblem[];
}

type Query = Readonly<Record<string, string | number | undefined>>;
type Body = Readonly<Record<string, unknown>>;

const root = '/admin/releases';
const act = <T>(path: string, body?: Body): Promise<T> =>
  session.client.request<T>('POST', path, {
    headers: { 'Idempotency-Key': newId() },
    ...(body === undefined ? {} : { body }),
  });

export const releaseRoutes = {
  list: (query: Query, signal: AbortSignal) =>
    session.client.request<NumberedPage<Release>>('GET', root, { query, signal }),
  one: (id: string, signal: AbortSignal) => session.client.request<WholeRelease>('GET', `${root}/${id}`, { signal }),
  create: (name: string) => act<Release>(root, { name }),
  rename: (id: string, name: string) => session.client.request<Release>('PUT', `${root}/${id}`, { body: { name } }),
  remove: (id: string) => session.client.request<void>('DELETE', `${root}/${id}`),
  put: (id: string, type: string, record: string, body: Body) =>
    session.client.request<ReleaseItem>('PUT', `${root}/${id}/items/${type}/${record}`, { body }),
  takeOut: (id: string, { id: item, type, record, language }: ReleaseItem) =>
    session.client.request<void>('DELETE', `${root}/${id}/items/${type}/${record ?? item}`, {
      query: language === null ? {} : { language },
    }),
  check: (id: string) => session.client.request<ReleaseCheck>('GET', `${root}/${id}/check`),
  publish: (id: string) => act<Release>(`${root}/${id}/publish`),
  schedule: (id: string, scheduled_at: string, time_zone: string) =>
    act<Release>(`${root}/${id}/schedule`, { scheduled_at, time_zone }),
  cancel: (id: string) => act<Release>(`${root}/${id}/cancel`),
  revert: (id: string) => act<WholeRelease & { readonly conflicts: readonly ReleaseProblem[] }>(`${root}/${id}/revert`),
};
