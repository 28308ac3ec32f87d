import { tick, untrack } from 'svelte';
import { type LinkingRecord, linksTo } from '../../api/link-routes.ts';
import { statusLabel } from '../../api/own-names.ts';
import { invalidate } from '../../api/query.svelte.ts';
import { faultText } from '../../api/service-text.ts';
import { navigate, replaceAddress } from '../../app/navigation.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { draftOf } from '../../editing/client-record-service.ts';
import type { EditingState, FieldIssue, SaveRequest, Values } from '../../editing/editing-state.ts';
import { sameValue } from '../../editing/same-value.ts';
import { UndoHistory } from '../../editing/undo-history.svelte.ts';
import type { FieldErrors, FieldInfo } from '../../fields/field.ts';
import { formFields, titleField } from '../../fields/form-fields.ts';
import { unreadableIn } from '../../fields/unreadable.ts';
import { t } from '../../text/text.ts';
import { formatDateTime } from '../../ui/relative-time.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import type { LeaveAnswer } from './dialogs/leave-answer.ts';
import type { EditorCommands } from './editor-commands.ts';
import { editorPath, listPath } from './editor-paths.ts';
import type { NotesDesk } from './notes/notes-desk.svelte.ts';
import { type OpenedRecord, titleOf } from './open-record.ts';
import { siteAddress } from './preview/preview-address.ts';
import { mayBecome, protocolOf, type StageMove, stageMoves } from './publishing.ts';

export type EditorDialog =
  | 'conflict'
  | 'leave'
  | 'schedule'
  | 'discard'
  | 'delete'
  | 'duplicate'
  | 'access'
  | 'linked'
  | 'release'
  | 'send-back';

/** The message for the person who asked, and the way back. */
interface Done {
  readonly text: string;
  readonly undo?: (() => void) | undefined;
  /** Where readers find it; undefined: nowhere that is known. */
  readonly site?: string | undefined;
}

/** What there is to say when the service has answered; undefined: it has not done it yet. */
type Note = (state: EditingState, request: SaveRequest) => Done | undefined;

/** So long a question waits for what links to a record, in milliseconds. */
const longestLook = 3_000;

/** An open record as its page sees it: what can be done with it, its errors, and which dialog lies over it. */
export class EditorState implements EditorCommands {
  readonly opened: OpenedRecord;
  readonly fields: ReadonlyMap<string, FieldInfo>;
  /** Addresses stand at the side, unless the definition says where. */
  readonly slugs: readonly string[];
  readonly others: readonly string[];
  readonly hasRevisions: boolean;
  /** What was done to the fields of the form. */
  readonly history = new UndoHistory();

  errors = $state.raw<FieldErrors>({});
  showsSummary = $state(false);
  dialog = $state<EditorDialog>();
  isHistoryOpen = $state(false);
  /** What people write beside the record; undefined until that is loaded. */
  notes = $state.raw<NotesDesk>();
  /** Records that link to this one, which is about to get this status. */
  linked = $state.raw<{ readonly records: readonly LinkingRecord[]; readonly status: string }>();
  #isAskingLinked = false;
  /** The time that somebody chose for the schedule, until the service has it. */
  chosenTime = $state<string | null>(null);

  readonly id = $derived.by(() => this.opened.editing.state.id);
  readonly title = $derived.by(() => {
    const { type, editing, localized } = this.opened;
    // A record that has no title in this language is called by that of the default one.
    const name = titleField(type) ?? '';
    const values = editing.values[name] ? editing.values : (localized?.translation?.values ?? editing.values);
    return titleOf(type, values, this.id === null);
  });
  readonly record = $derived.by(() => this.opened.editing.state.record);
  readonly status = $derived.by(() => (typeof this.record.status === 'string' ? this.record.status : undefined));
  readonly isPublished = $derived.by(() => {
    const published = this.opened.publishing?.published;
    return published !== undefined && this.status === published;
  });
  readonly hasDraft = $derived.by(() => this.isPublished && draftOf(this.record) !== null);
  readonly mayEdit = $derived.by(() => (this.id === null ? this.opened.type.may.create : this.opened.type.may.update));
  readonly isBusy = $derived.by(() => ['saving', 'gone'].includes(this.opened.editing.status));
  readonly mayPublish = $derived.by(() => {
    const { editing, publishing } = this.opened;
    if (publishing?.published === undefined || !publishing.mayPublish) return false;
    return (
      (this.#mayBecomePublished && !this.#isStatusShared) ||
      (editing.state.target === 'draft' && (this.hasDraft || editing.dirty.length > 0))
    );
  });
  /** The person approves of what somebody else has asked for, or the record is at a stage that comes right before the published one. */
  readonly isApproval = $derived.by(() => {
    const { publishing } = this.opened;
    return publishing?.transitions !== undefined && !this.isPublished && this.#statusNow !== publishing.initial;
  });
  /** Where the person may move the record among the stages before it is published. */
  readonly stageMoves = $derived.by((): readonly StageMove[] => {
    const { publishing } = this.opened;
    if (publishing === undefined || this.isPublished || this.#isStatusShared || !this.mayEdit) return [];
    return stageMoves(publishing, this.#statusNow);
  });
  /** Always in its place, so that nothing moves when there is something to publish. */
  readonly showsPublish = $derived.by(() => {
    const { editing, publishing } = this.opened;
    return (
      publishing?.mayPublish === true &&
      publishing.published !== undefined &&
      ((this.#mayBecomePublished && !this.#isStatusShared) || editing.state.target === 'draft')
    );
  });

  /** Somebody asked for the save that is under way, and has not typed since. */
  #isWatching = false;
  #note: Note | undefined;
  #isDeleted = false;
  #answerLeaving: ((answer: LeaveAnswer) => void) | undefined;

  /** All languages have the status of the record, and it is written in another than the default: what it says there is published alone. */
  get #isStatusShared(): boolean {
    return this.opened.localized?.isStatusShared === true;
  }

  /** A new record begins in the first status. */
  get #statusNow(): string {
    return this.status ?? this.opened.publishing?.initial ?? '';
  }

  /** Whether the record is not published, and the person may publish it as it is now. */
  get #mayBecomePublished(): boolean {
    const { publishing } = this.opened;
    if (publishing?.published === undefined || this.isPublished) return false;
    return mayBecome(publishing, this.#statusNow, publishing.published);
  }

  constructor(opened: OpenedRecord) {
    this.opened = opened;
    const { type } = opened;
    const list = formFields(type);
    const grouped = new Set((type.definition.admin?.groups ?? []).flatMap((group) => group.fields));
    this.fields = new Map(list.map((field) => [field.name, field]));
    this.slugs = list.filter((field) => field.type === 'uid' && !grouped.has(field.name)).map(({ name }) => name);
    this.others = list.filter(({ name }) => !this.slugs.includes(name)).map(({ name }) => name);
    // A revision holds all languages, and is looked at in the default one.
    this.hasRevisions = protocolOf(type, 'versionable') !== undefined && opened.localized?.translation === undefined;
    opened.listeners.saved = (state, request) => this.#saved(state, request);
    opened.listeners.refused = (issues) => this.#refused(issues);
    $effect(() => {
      if (opened.editing.status === 'conflict') void untrack(() => this.#showConflict());
    });
  }

  // Shown as methods of an object that is handed on: each keeps its `this`.

  readonly change = (name: string, value: unknown): void => {
    this.history.add(name, this.opened.editing.values[name], $state.snapshot(value));
    this.put(name, value);
  };

  /** Changes a field without a step of the history. */
  put(name: string, value: unknown): void {
    this.#isWatching = false;
    this.opened.editing.change(name, value);
  }

  readonly save = (): void =>
    this.#ask(
      () => this.opened.editing.save(),
      () => undefined,
    );

  readonly publish = (): void => {
    const { editing, publishing } = this.opened;
    editing.typing.settle();
    const published = publishing?.published;
    if (published === undefined || !this.mayPublish) return;
    const { target } = editing.state;
    const { title } = this;
    // What is published of a draft changes no status.
    const undo = target === 'draft' ? undefined : this.#undoStatus(this.status ?? publishing?.initial, published);
    const done: Note = (state, { act }) => {
      const isDone = target === 'draft' ? act?.name === 'publish' : state.record.status === published;
      return isDone ? { text: t('editor.published', { title }), undo, site: this.#siteOf(state) } : undefined;
    };
    this.#ask(
      () => (target === 'draft' ? editing.act({ name: 'publish' }) : editing.saveWith({ status: published })),
      done,
    );
  };

  /** Asks whether there is anything to say to those who write the record. */
  readonly askSendBack = (): void => this.#show('send-back');

  readonly unpublish = (): void => this.setStatus(this.opened.publishing?.initial ?? '');

  readonly setStatus = (next: string): void => {
    const { publishing } = this.opened;
    if (publishing === undefined || next === this.status) return;
    if (next === publishing.published) {
      this.publish();
      return;
    }
    if (this.isPublished && this.id !== null) void this.#askLinked(this.id, next);
    else this.become(next);
  };

  /** Visitors will not find the record any more: where others link to it, the person is asked first. */
  async #askLinked(id: string, status: string): Promise<void> {
    if (this.#isAskingLinked) return;
    this.#isAskingLinked = true;
    // Without an answer, as offline, nobody is kept from it.
    const records = await linksTo(this.opened.type.plural, id, AbortSignal.timeout(longestLook)).catch(() => []);
    this.#isAskingLinked = false;
    if (!this.isPublished || this.id !== id) return;
    if (records.length === 0) {
      this.become(status);
      return;
    }
    this.linked = { records, status };
    this.#show('linked');
  }

  /** Gives the record a status that is not the published one. */
  become(next: string): void {
    const { editing, publishing } = this.opened;
    if (publishing === undefined || next === this.status) return;
    const { title } = this;
    const text = this.isPublished
      ? t('editor.unpublished', { title })
      : t('editor.statusChanged', { title, status: statusLabel(next, this.opened.type) });
    const { target } = editing.state;
    const undo = this.#undoStatus(this.status, next);
    this.#ask(
      () =>
        target === 'draft'
          ? editing.act({ name: 'unpublish', body: { status: next } })
          : editing.saveWith({ status: next }),
      (state) => (state.record.status === next ? { text, undo } : undefined),
    );
  }

  readonly schedule = (): void => this.#show('schedule');
  readonly revisions = (): void => {
    this.isHistoryOpen = true;
  };
  readonly discard = (): void => this.#show('discard');
  readonly remove = (): void => this.#show('delete');
  readonly access = (): void => this.#show('access');
  readonly addToRelease = (): void => this.#show('release');

  readonly duplicateAll = (): void => this.#show('duplicate');
  readonly duplicate = (): void =>
    navigate(`${editorPath(this.opened.type, undefined)}?copy=${encodeURIComponent(this.id ?? '')}`);

  /** A new record is saved with it, in one request: what is wrong with one of them loses neither. */
  setSchedule(at: string | null): void {
    const { editing, publishing } = this.opened;
    const { title } = this;
    const time = at === null ? '' : formatDateTime(new Date(at), 'datetime');
    const text =
      at === null
        ? t('editor.unscheduled', { title })
        : t('editor.scheduledToast', {
            title,
            status: statusLabel(publishing?.scheduled ?? '', this.opened.type),
            time,
          });
    this.chosenTime = at;
    const { record } = this;
    const before = typeof record.scheduled_at === 'string' ? record.scheduled_at : null;
    const isFuture = before === null || Date.parse(before) > Date.now();
    const undo = this.id !== null && isFuture ? () => this.setSchedule(before) : undefined;
    this.#ask(
      () => editing.saveWith({ scheduled_at: at }),
      ({ record }) => {
        if ((record.scheduled_at ?? null) !== at) return undefined;
        this.chosenTime = null;
        return { text, undo };
      },
    );
  }

  restore(revision: number, restored: Values): void {
    const { editing } = this.opened;
    if (editing.state.target === 'draft') {
      const writable = Object.entries(restored).filter(([name]) => this.fields.get(name)?.writable === true);
      editing.fill(Object.fromEntries(writable));
      toast(t('editor.restoredDraft', { revision }));
      return;
    }
    this.#ask(
      () => editing.act({ name: 'restore', body: { revision } }),
      (_, { act }) => (act?.name === 'restore' ? { text: t('editor.restored', { revision }) } : undefined),
    );
  }

  /** Puts a value of an earlier revision into the form: an ordinary change, which the person saves. */
  putBack(name: string, value: unknown): void {
    const { editing } = this.opened;
    editing.typing.settle();
    const before = editing.values[name];
    const change = (next: unknown): void => {
      this.history.close();
      this.change(name, next);
      this.history.close();
    };
    change(value);
    const field = this.fields.get(name)?.label ?? name;
    const undo = (): void => {
      editing.typing.settle();
      if (sameValue(editing.values[name], value)) change(before);
    };
    toast(t('editor.putBack', { field }), {
      about: 'put-back',
      action: { label: t('editor.undo'), run: undo },
    });
  }

  /** Puts values into the form: one change, which the person saves. Returns how many fields it changes. */
  putTogether(values: Values): number {
    const { editing } = this.opened;
    editing.typing.settle();
    const changes = Object.entries(values)
      .filter(([name, value]) => !sameValue(editing.values[name], value))
      .map(([name, after]) => ({ name, before: editing.values[name], after }));
    if (changes.length > 0) this.history.addTogether(changes);
    for (const { name, after } of changes) this.put(name, after);
    return changes.length;
  }

  async discardChanges(): Promise<void> {
    const { editing } = this.opened;
    this.#showErrors({}, false);
    await editing.discard();
    if (this.hasDraft) editing.act({ name: 'discard-draft' });
    toast(t('editor.discarded'));
  }

  deleted(): void {
    const { type } = this.opened;
    this.#isDeleted = true;
    invalidate(['list', type.plural]);
    navigate(listPath(type));
  }

  /** Whether the page may be left: what can be sent is sent, and about the rest the person is asked. */
  async mayLeave(): Promise<boolean> {
    const { editing } = this.opened;
    editing.typing.settle();
    if (this.#isDeleted || editing.status === 'clean') return true;
    // What may be sent by itself is sent.
    if (editing.state.target === 'draft' && editing.status === 'dirty') editing.save();
    if (editing.status === 'saving' && (await this.#settled())) return true;
    this.dialog = 'leave';
    const answer = await new Promise<LeaveAnswer>((resolve) => {
      this.#answerLeaving = resolve;
    });
    if (answer === 'stay') return false;
    if (answer === 'discard') {
      await editing.discard();
      return true;
    }
    if (!this.#isReady()) return false;
    this.save();
    return this.#settled();
  }

  answerLeaving(answer: LeaveAnswer): void {
    this.#answerLeaving?.(answer);
    this.#answerLeaving = undefined;
  }

  #show(dialog: EditorDialog): void {
    this.dialog = dialog;
  }

  /** Whether the form can be sent. What it has that is no value yet is shown. */
  #isReady(): boolean {
    this.opened.editing.typing.settle();
    const { dirty, values } = this.opened.editing;
    // What the service has is a value, whatever it looks like.
    const open = unreadableIn(Object.fromEntries(dirty.map((name) => [name, values[name]])));
    if (Object.keys(open).length === 0) return true;
    this.#showErrors(open, true);
    return false;
  }

  /** The form moves the focus to the errors when it gets another object, which must not happen while somebody types. */
  #showErrors(next: FieldErrors, withSummary: boolean): void {
    // The history stands where the form does.
    if (withSummary) this.isHistoryOpen = false;
    this.showsSummary = withSummary;
    this.errors = next;
  }

  #clearErrors(): void {
    if (Object.keys(this.errors).length > 0) this.#showErrors({}, false);
  }

  #ask(run: () => void, done: Note): void {
    if (!this.mayEdit || !this.#isReady()) return;
    this.#isWatching = true;
    this.#note = done;
    this.#clearErrors();
    run();
    void this.#showConflict();
  }

  #saved(state: EditingState, request: SaveRequest): void {
    const { type } = this.opened;
    this.#clearErrors();
    invalidate(['list', type.plural]);
    invalidate(['revisions', type.plural]);
    // The address of the new record, without leaving the page.
    if (request.id === null && state.id !== null && type.kind !== 'single') replaceAddress(editorPath(type, state.id));
    const done = this.#note?.(state, request);
    if (done === undefined) return;
    this.#note = undefined;
    const { text, undo, site } = done;
    const action = undo === undefined ? {} : { action: { label: t('editor.undo'), run: undo } };
    const link = site === undefined ? {} : { link: { label: t('editor.viewOnSite'), href: site } };
    toast(text, { about: this.opened.editing.state.id ?? 'new', ...link, ...action });
  }

  /** The page where readers find the record that was published. */
  #siteOf({ record, id }: EditingState): string | undefined {
    const { type, localized } = this.opened;
    const { page_url, preview_url } = type.definition.admin ?? {};
    return siteAddress(page_url ?? preview_url, { ...record, id }, localized?.language.tag ?? '');
  }

  /** The way back from one status to the one before; undefined: the type has none. */
  #undoStatus(before: string | undefined, next: string): Done['undo'] {
    const { editing, publishing } = this.opened;
    if (before === undefined || publishing === undefined || !mayBecome(publishing, next, before)) return undefined;
    const draft = editing.state.target === 'draft' ? draftOf(editing.state.record) : null;
    const isDrafted = draft !== null || (editing.state.target === 'draft' && editing.dirty.length > 0);
    return () => {
      editing.typing.settle();
      // What was typed since is not part of it, and must not get to the public with it.
      if (editing.dirty.length > 0) toast(t('editor.restoreDirty'), { kind: 'error' });
      else if (isDrafted) void this.#undoUnpublishing(before);
      else if (before === publishing.published) this.publish();
      else this.become(before);
    };
  }

  /** What was drafted became part of the record: the public gets what it had, and the rest is a draft again. */
  async #undoUnpublishing(published: string): Promise<void> {
    const { editing, type } = this.opened;
    const { title } = this;
    const drafted = editing.values;
    const mine = Object.fromEntries(Object.keys(drafted).map((name) => [name, drafted[name]]));
    const revisions = session.client.admin.collection(type.plural).revisions(this.id ?? '');
    const page = await revisions.list({ page_size: 2 }).catch(() => undefined);
    const revision = page?.items[1]?.revision;
    if (revision === undefined) {
      toast(t('app.errorTitle'), { kind: 'error' });
      return;
    }
    this.#ask(
      () => editing.act({ name: 'restore', body: { revision } }),
      ({ record }) => {
        if (record.status !== published) return undefined;
        // After the step that this is a part of.
        queueMicrotask(() => {
          editing.fill(mine);
          editing.save();
        });
        return { text: t('editor.published', { title }), site: this.#siteOf(this.opened.editing.state) };
      },
    );
  }

  #refused(issues: readonly FieldIssue[]): void {
    this.#note = undefined;
    const found = issues
      .map((issue) => [issue.field, faultText(issue, this.fields.get(issue.field)?.label)] as const)
      .toReversed();
    if (found.length > 0) this.#showErrors(Object.fromEntries(found), this.#isWatching);
  }

  /** Opens over the page only where somebody waits for the save: keys that are typed must not go to a dialog. */
  async #showConflict(): Promise<void> {
    await tick();
    if (this.#isWatching && this.opened.editing.status === 'conflict') this.dialog = 'conflict';
  }

  /** Resolves when nothing is on its way any more: whether all is saved. */
  #settled(): Promise<boolean> {
    const { editing } = this.opened;
    return new Promise((resolve) => {
      const stop = $effect.root(() => {
        $effect(() => {
          const { status } = editing;
          if (status === 'saving') return;
          queueMicrotask(() => stop());
          resolve(status === 'clean');
        });
      });
    });
  }
}
