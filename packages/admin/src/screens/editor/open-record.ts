import { RectoError } from '@recto/client';
import { adminPath, creationPath } from '../../api/admin-path.ts';
import { languagesOf } from '../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { session } from '../../app/session.svelte.ts';
import { ClientRecordService, type Requests, type SavedType } from '../../editing/client-record-service.ts';
import { EditingSession } from '../../editing/editing-session.svelte.ts';
import type { EditingState, FieldIssue, Loaded, SaveRequest, Values } from '../../editing/editing-state.ts';
import { indexedStore } from '../../editing/indexed-store.ts';
import type { FormLanguage } from '../../fields/field.ts';
import { formFields, titleField } from '../../fields/form-fields.ts';
import { loadFields } from '../../fields/registry.ts';
import { t } from '../../text/text.ts';
import type { Translation } from './languages/translation.svelte.ts';
import { type Publishing, protocolOf, publishingOf } from './publishing.ts';
import { defaultsOf, editingRules, valuesToDuplicate } from './saved-fields.ts';

/** A record in one of its languages, and what the page shows of the others. */
export interface OpenedLanguage {
  readonly languages: readonly string[];
  readonly language: FormLanguage;
  readonly parts: typeof import('./languages/parts.ts');
  /** Absent: it is written in the default language. */
  readonly translation?: Translation | undefined;
  /** Its status is that of the record, which the default language changes. */
  readonly isStatusShared: boolean;
}

/** A record that is open for editing, and what the page has to know of its type. */
export interface OpenedRecord {
  readonly type: ContentTypeInfo;
  readonly publishing: Publishing | undefined;
  readonly editing: EditingSession;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly listeners: EditorListeners;
  /** Absent: its type has one language. */
  readonly localized?: OpenedLanguage | undefined;
}

/** What the page does about the saving. Set by the page, which is there later than the record. */
export interface EditorListeners {
  saved: (state: EditingState, request: SaveRequest) => void;
  refused: (issues: readonly FieldIssue[]) => void;
}

const store = indexedStore();

/** A change of a draft is sent when typing has rested for this long, in milliseconds. */
const draftPause = 1_500;
/** Of a record that nobody sees yet. */
const recordPause = 10_000;

/** How the record is called: by the field that names it, or by its type. */
export function titleOf(type: ContentTypeInfo, values: Values, isNew: boolean): string {
  const name = titleField(type);
  const value = name === undefined ? undefined : values[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (type.kind === 'single') return type.name;
  return isNew ? t('editor.newTitle', { name: type.name }) : t('editor.untitled', { name: type.name });
}

/**
 * Reads a record and opens it. Without an id: a new one, that of a single type, or a copy of another. `language` is another than the default
 * one.
 */
export async function openRecord(
  whole: ContentTypeInfo,
  id: string | undefined,
  copyOf: string | undefined,
  language?: string,
): Promise<OpenedRecord> {
  const { account } = session;
  if (account === undefined) throw new Error('Nobody is signed in.');
  const wanted = id ?? (whole.kind === 'single' ? await idOfSingle(whole) : undefined);
  const path = adminPath(whole);
  const languages = languagesOf(whole);
  const parts = languages.length === 0 ? undefined : await import('./languages/parts.ts');
  const localized = parts?.openLanguage(whole, { languages, named: language, path: `${path}/${wanted}` });
  const type = localized?.type ?? whole;
  const publishing = publishingOf({ ...whole, may: type.may }, session.role);
  const published = publishing?.hasDrafts === true ? (publishing.published ?? null) : null;
  const hasRevisions = protocolOf(type, 'versionable') !== undefined;
  const saved: SavedType = { path, creationPath: creationPath(type), published, hasRevisions, language };
  const service = new ClientRecordService(session.client, saved);
  const [loaded, copied] = await Promise.all([
    wanted === undefined ? undefined : service.read(wanted),
    copyOf === undefined ? undefined : service.read(copyOf),
    loadFields(formFields(type)),
    localized?.translation?.start(),
  ]);
  const listeners: EditorListeners = { saved: () => undefined, refused: () => undefined };
  const editing = new EditingSession({
    rules: editingRules(type),
    start: loaded ?? { defaults: defaultsOf(type) },
    account: account.id,
    place: { site: location.origin, type: type.plural, language },
    service: new ClientRecordService(inBackground, saved),
    store,
    title: (values) => titleOf(type, values, loaded === undefined),
    pause: pauseOf(publishing),
    onsignin: (isAsked) => {
      if (isAsked) session.ask();
      void session.restored().then(() => editing.signedIn(session.account?.id ?? ''));
    },
    onsaved: (state, request) => listeners.saved(state, request),
    onrefused: (issues) => listeners.refused(issues),
  });
  if (copied !== undefined) editing.fill(valuesToDuplicate(type, copied.record));
  return {
    type,
    publishing,
    editing,
    path,
    listeners,
    localized: parts && localized && { ...localized, languages, parts },
  };
}

/** Requests that ask nobody to sign in: while a record is open, `onsignin` does, where somebody waits for them. */
const inBackground: Requests = {
  request: (method, path, options, read) =>
    session.inBackground(() => session.client.request(method, path, { ...options, background: true }, read)),
};

/** By itself, only what nobody sees until it is published is sent. */
function pauseOf(publishing: Publishing | undefined): (state: EditingState) => number | null {
  if (publishing?.hasDrafts !== true) return () => null;
  return ({ id, target }) => {
    if (id === null) return null;
    return target === 'draft' ? draftPause : recordPause;
  };
}

interface Page {
  readonly items: readonly { readonly id: string }[];
}

/** The one record of a single type is made by the first who asks for it. */
async function idOfSingle({ plural, singular }: ContentTypeInfo): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const page = await session.client.request<Page>('GET', adminPath({ plural }), { query: { page_size: 1 } });
    return page.items[0]?.id;
  };
  const found = await find();
  if (found !== undefined) return found;
  const made = await session.client.request<Partial<Loaded>>('GET', `/cms/${encodeURIComponent(singular)}`);
  return made.id ?? '';
}

export const isMissing = (error: unknown): boolean => error instanceof RectoError && error.status === 404;
