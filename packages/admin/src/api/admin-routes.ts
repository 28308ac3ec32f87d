import type { Account, CallOptions } from '@recto/client';
import { session } from '../app/session.svelte.ts';
import { newId } from './new-id.ts';
import { sendFile } from './send-file.ts';
import type { AuthOffer, Provider } from './sign-in-offer.ts';

/** The routes of people and of the installation, as `docs/` has them. Each function is one request. */

export interface NumberedPage<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
}

/** The name of a role: a built-in one, or one of the site's own. */
export type Role = string;

/** An account with its profile. */
export interface User extends Account {
  readonly display_name: string | null;
  readonly avatar: string | null;
  readonly bio: string | null;
  readonly website: string | null;
  readonly profile_public: boolean;
  /** Whether there is a passkey or an authenticator app besides the password. */
  readonly second_factor: boolean;
}

/** A mail of a development, which was kept instead of sent. */
export interface KeptMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly sent_at: string;
}

export interface UserSession {
  readonly id: string;
  readonly current: boolean;
  readonly agent: string | null;
  /** How somebody signed in: `password`, `totp`, `passkey`, `provider` … */
  readonly methods: readonly string[];
  readonly created_at: string;
  readonly used_at: string;
  readonly expires_at: string;
}

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Null: all rights of the role. */
  readonly scopes: readonly string[] | null;
  readonly tenant_id: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export const changeActions = ['create', 'update', 'delete', 'publish', 'unpublish', 'restore'] as const;
export type ChangeAction = (typeof changeActions)[number];

export interface LoggedEvent {
  readonly seq: number;
  /** A singular, `recto:account` or `recto:content_type`. */
  readonly type: string;
  readonly record: string;
  readonly action: ChangeAction;
  readonly changed: readonly string[];
  readonly actor: { readonly id: string | null; readonly kind: 'account' | 'api_token' | 'system' } | null;
  readonly tenant: string | null;
  readonly request_id: string | null;
  /** What the change came through; null: the API itself. */
  readonly via: 'import' | 'mcp' | 'release' | null;
  readonly at: string;
  readonly revision: number | null;
}

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly run_at: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly progress: { readonly done: number; readonly total: number | null } | null;
  readonly result: unknown;
  readonly error: string | null;
  /** It runs by a schedule of the service. */
  readonly scheduled: boolean;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly actions: readonly ChangeAction[];
  readonly filter: string | null;
  readonly description: string;
  readonly enabled: boolean;
  readonly include_private: boolean;
  readonly releases: boolean;
  readonly languages: readonly string[];
  readonly disabled_reason: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery {
  readonly id: string;
  readonly seq: number;
  readonly type: string;
  readonly record: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_at: string | null;
  readonly last: {
    readonly at: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
  } | null;
  readonly created_at: string;
  readonly ended_at: string | null;
}

export interface SettingInForce {
  readonly name: string;
  readonly file_name: string;
  readonly value: string | null;
  readonly source: 'default' | 'environment' | 'file' | 'command_line' | 'program';
  readonly secret: boolean;
  readonly set: boolean;
  readonly default: string | null;
  readonly accepts: string;
  readonly description: string;
}

export interface SystemState {
  readonly status: 'ok' | 'starting' | 'draining' | 'failing';
  readonly version: string;
  readonly runtime: string;
  readonly platform: string;
  readonly started_at: string;
  readonly workers: number;
  readonly database: { readonly kind: 'sqlite' | 'postgres'; readonly version: string };
  readonly storage: 'file' | 's3';
  /** Null: no mail is sent. */
  readonly mail: { readonly to: string; readonly from: string; readonly url: string } | null;
  readonly content_types: number;
  readonly jobs: Readonly<Record<JobState, number>>;
  readonly checks: Readonly<Record<string, { readonly status: 'ok' | 'failing'; readonly latency_ms: number }>>;
}

/** The closing table of an import. */
export interface ImportReport {
  readonly dry_run: boolean;
  /** The address of a WordPress site. */
  readonly source?: string;
  readonly counts: readonly {
    readonly kind: string;
    readonly taken: number;
    readonly before: number;
    readonly skipped: number;
    readonly failed: number;
  }[];
  readonly skipped: readonly ImportRemark[];
  readonly changed: readonly ImportRemark[];
  /** Records of media whose files are not there; absent: there are none. */
  readonly missing_files?: {
    readonly total: number;
    readonly files: readonly { readonly id: string; readonly name: string; readonly hash: string | null }[];
  };
  readonly failures: readonly { readonly kind: string; readonly place: string; readonly errors: readonly string[] }[];
  /** The languages of a WordPress site that the service does not have. */
  readonly other_languages?: readonly string[];
}

export interface ImportRemark {
  readonly kind: string;
  readonly text: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** What imports and exports have in common. */
interface Transfer {
  readonly id: string;
  readonly type: string | null;
  readonly name: string;
  readonly size: number | null;
  readonly progress: { readonly phase: string; readonly done: number; readonly total: number | null } | null;
  readonly error: string | null;
  readonly job: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export type ImportState = 'checking' | 'checked' | 'importing' | 'done' | 'failed' | 'cancelled';

/** How a file of CSV is read. */
export interface ImportPlan {
  readonly encoding: string;
  readonly separator: string;
  readonly decimal: string;
  readonly dates: string;
  readonly key: string | null;
  readonly existing: string;
  readonly columns: readonly { readonly column: string; readonly field: string | null }[];
}

export interface Import extends Transfer {
  readonly format: 'wordpress' | 'records' | 'csv';
  /** Of CSV: how the check has read the file, and its first rows. */
  readonly plan: ImportPlan | null;
  readonly sample: readonly (readonly string[])[] | null;
  readonly fetch_files: boolean;
  readonly with_media: boolean;
  readonly state: ImportState;
  readonly check: ImportReport | null;
  readonly result: ImportReport | null;
}

export type ExportState = 'exporting' | 'done' | 'failed' | 'cancelled';

export interface Export extends Transfer {
  readonly state: ExportState;
  readonly files: readonly { readonly type: string; readonly file: string; readonly records: number }[];
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
type Body = Readonly<Record<string, unknown>>;

const get = <T>(
  path: string,
  query: Query = {},
  options: CallOptions & { readonly background?: boolean } = {},
): Promise<T> => session.client.request<T>('GET', path, { ...options, query });
const send = <T>(method: string, path: string, body?: Body): Promise<T> =>
  session.client.request<T>(method, path, body === undefined ? {} : { body });
/** For what is done once, however often it is sent. */
const act = <T>(path: string, body?: Body): Promise<T> =>
  session.client.request<T>('POST', path, {
    headers: { 'Idempotency-Key': newId() },
    ...(body === undefined ? {} : { body }),
  });

const users = '/admin/users';
const tokens = '/admin/api-tokens';
const webhooks = '/admin/webhooks';
const imports = '/admin/imports';
const exports = '/admin/exports';
const own = '/auth/me';

export const adminRoutes = {
  users: (query: Query, signal: AbortSignal) => get<NumberedPage<User>>(users, query, { signal }),
  user: (id: string, signal?: AbortSignal) => get<User>(`${users}/${id}`, {}, signal === undefined ? {} : { signal }),
  createUser: (body: Body) => act<User>(users, body),
  changeUser: (id: string, body: Body) => send<User>('PUT', `${users}/${id}`, body),
  deleteUser: (id: string) => send<void>('DELETE', `${users}/${id}`),
  removePicture: (id: string) => send<void>('DELETE', `/admin/users/${id}/picture`),
  resetFactors: (id: string) => send<void>('DELETE', `/admin/users/${id}/second-factors`),
  /** Invites again. The link is there where the service sends no mail, this once. */
  inviteUser: (id: string) => send<{ readonly link?: string }>('POST', `${users}/${id}/invitation`),
  authOptions: (signal: AbortSignal): Promise<AuthOffer> => session.client.auth.options({ signal }),
  providers: (signal: AbortSignal) => get<{ readonly items: readonly Provider[] }>('/auth/providers', {}, { signal }),
  userSessions: (id: string, signal: AbortSignal) =>
    get<{ readonly items: readonly UserSession[] }>(`${users}/${id}/sessions`, {}, { signal }),
  endUserSession: (id: string, one: string) => send<void>('DELETE', `${users}/${id}/sessions/${one}`),
  endUserSessions: (id: string) => send<void>('DELETE', `${users}/${id}/sessions`),

  changeMe: (body: Body) => send<User>('PUT', own, body),
  /** The address of the picture that is kept. */
  setOwnPicture: (file: Blob) =>
    session.client.request<{ readonly picture: string }>('PUT', `${own}/picture`, { body: file }),
  removeOwnPicture: () => send<void>('DELETE', `${own}/picture`),
  ownSessions: (signal: AbortSignal) =>
    get<{ readonly items: readonly UserSession[] }>(`${own}/sessions`, {}, { signal }),
  endOwnSession: (id: string) => send<void>('DELETE', `${own}/sessions/${id}`),
  endOtherSessions: () => send<void>('DELETE', `${own}/sessions`),

  apiTokens: (query: Query, signal: AbortSignal) => get<NumberedPage<ApiToken>>(tokens, query, { signal }),
  createApiToken: (body: Body) => send<ApiToken & { readonly token: string }>('POST', tokens, body),
  revokeApiToken: (id: string) => send<void>('DELETE', `${tokens}/${id}`),

  events: (query: Query, signal: AbortSignal) =>
    get<{ readonly items: readonly LoggedEvent[]; readonly total: number }>('/admin/events', query, { signal }),

  jobs: (query: Query, signal: AbortSignal, background: boolean) =>
    get<NumberedPage<Job>>('/admin/jobs', query, { signal, background }),
  job: (id: string, signal: AbortSignal) => get<Job>(`/admin/jobs/${id}`, {}, { signal }),
  retryJob: (id: string) => act<Job>(`/admin/jobs/${id}/retry`),
  cancelJob: (id: string) => act<Job>(`/admin/jobs/${id}/cancel`),

  webhooks: (query: Query, signal: AbortSignal) => get<NumberedPage<Webhook>>(webhooks, query, { signal }),
  webhook: (id: string, signal: AbortSignal) => get<Webhook>(`${webhooks}/${id}`, {}, { signal }),
  createWebhook: (body: Body) => send<Webhook & { readonly secret: string }>('POST', webhooks, body),
  changeWebhook: (id: string, body: Body) => send<Webhook>('PUT', `${webhooks}/${id}`, body),
  deleteWebhook: (id: string) => send<void>('DELETE', `${webhooks}/${id}`),
  rotateSecret: (id: string) =>
    send<{ readonly secret: string; readonly previous_secret_until: string }>(
      'POST',
      `${webhooks}/${id}/rotate-secret`,
    ),
  testWebhook: (id: string) => act<Delivery>(`${webhooks}/${id}/test`),
  deliveries: (id: string, query: Query, signal: AbortSignal, background: boolean) =>
    get<NumberedPage<Delivery>>(`${webhooks}/${id}/deliveries`, query, { signal, background }),
  redeliver: (id: string, delivery: string) => act<Delivery>(`${webhooks}/${id}/deliveries/${delivery}/redeliver`),

  imports: (query: Query, signal: AbortSignal, background: boolean) =>
    get<NumberedPage<Import>>(imports, query, { signal, background }),
  import: (id: string, signal: AbortSignal, background: boolean) =>
    get<Import>(`${imports}/${id}`, {}, { signal, background }),
  /** Takes as long as the file needs. */
  uploadImport: (file: Blob, query: Query, onProgress: (sent: number) => void) =>
    session.client.request<Import>('POST', imports, {
      ...{ query, body: file, timeout: 0 },
      fetch: sendFile(file, onProgress),
    }),
  setImportPlan: (id: string, plan: ImportPlan) => send<Import>('PUT', `${imports}/${id}/plan`, { ...plan }),
  runImport: (id: string, skipsLanguages = false) =>
    act<Import>(`${imports}/${id}/run${skipsLanguages ? '?skip_other_languages=true' : ''}`),
  deleteImport: (id: string) => send<void>('DELETE', `${imports}/${id}`),
  exports: (query: Query, signal: AbortSignal, background: boolean) =>
    get<NumberedPage<Export>>(exports, query, { signal, background }),
  createExport: (body: Body) => act<Export>(exports, body),
  exportFile: (id: string) =>
    session.client.request<Blob>('GET', `${exports}/${id}/file`, { timeout: 0 }, (response) => response.blob()),
  deleteExport: (id: string) => send<void>('DELETE', `${exports}/${id}`),

  settings: (signal: AbortSignal) =>
    get<{ readonly items: readonly SettingInForce[] }>('/admin/settings', {}, { signal }),
  sendTestMail: (to: string) => act<void>('/admin/mails/test', { to }),
  mails: (signal: AbortSignal, background: boolean) =>
    get<{ readonly items: readonly KeptMail[] }>('/admin/mails', {}, { signal, background }),
  system: (signal: AbortSignal, background: boolean) => get<SystemState>('/admin/system', {}, { signal, background }),
} as const;
