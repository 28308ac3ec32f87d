import { tick } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';
import { isCovered } from '../../../app/window-keys.ts';
import type { FormNotes } from '../../../fields/field.ts';
import { focusPath } from '../../../fields/reveal.ts';
import type { OpenedRecord } from '../open-record.ts';
import type { Note } from './note-routes.ts';
import { fieldPart, markPassages, passageOf, selectedQuote, unmarkPassages } from './passages.ts';
import { RecordNotes } from './record-notes.svelte.ts';

/** So long passages wait for somebody who types, in milliseconds. */
const markPause = 200;

/** The notes on the open record: the panel that shows them, the marks in the form, and the ways between them. */
export class NotesDesk implements FormNotes {
  readonly notes: RecordNotes;
  readonly #formId: string;
  readonly #localized: ReadonlySet<string>;
  /** Whether there is room for the panel beside the form. */
  readonly #beside = new MediaQuery('min-width: 1100px');
  isOpen = $state(false);
  /** What had the focus when the panel opened. */
  #before: HTMLElement | undefined;

  constructor({ type, localized }: OpenedRecord, record: string, formId: string) {
    this.#formId = formId;
    this.#localized = localized?.language.localized ?? new Set();
    this.notes = new RecordNotes(type, record, localized?.language.tag ?? null);
  }

  get isBeside(): boolean {
    return this.#beside.current;
  }

  countAt(path: string): number {
    return this.notes.countAt(path);
  }

  /** Loads the notes, looks again when the page does, and keeps passages marked. Returns what ends this. */
  start(): () => void {
    void this.notes.look();
    const onvisibility = (): void => {
      if (!document.hidden) void this.notes.look();
    };
    document.addEventListener('visibilitychange', onvisibility);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = (): void => markPassages(this.#formId, this.notes.quoted, this.notes.active);
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(mark, markPause);
    };
    const observer = new MutationObserver(() => {
      if (this.notes.quoted.length > 0) later();
    });
    for (const form of document.querySelectorAll(`[data-form="${CSS.escape(this.#formId)}"]`))
      observer.observe(form, { childList: true, characterData: true, subtree: true });
    const stopMarking = $effect.root(() => {
      $effect(mark);
    });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', onvisibility);
      stopMarking();
      unmarkPassages();
    };
  }

  /** Opens the panel and moves the focus there. */
  async open(): Promise<void> {
    if (!this.isOpen && document.activeElement instanceof HTMLElement) this.#before = document.activeElement;
    this.isOpen = true;
    await tick();
  }

  close(): void {
    this.isOpen = false;
    this.notes.anchor = undefined;
    const before = this.#before;
    this.#before = undefined;
    void tick().then(() => before?.focus());
  }

  async toggle(): Promise<void> {
    if (this.isOpen) this.close();
    else {
      await this.open();
      this.notes.wanted = '[data-notes]';
    }
  }

  /** Shows the open threads about the field at a path. */
  async show(path: string): Promise<void> {
    const thread = this.notes.open.find(({ first }) => first.field === path);
    await this.open();
    if (thread === undefined) return;
    this.notes.active = thread.first.id;
    this.notes.wanted = `[data-thread="${CSS.escape(thread.first.id)}"]`;
  }

  /** Goes to what a note is about: the passage, or the field. */
  async go(note: Note): Promise<void> {
    this.notes.active = note.id;
    if (note.field === null) return;
    if (!this.isBeside) this.isOpen = false;
    await focusPath(this.#formId, note.field);
    const range = passageOf(this.#formId, note);
    if (range === undefined) return;
    getSelection()?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  }

  /** One key leads from a field to its notes, or to a new one about what is selected, and from a note to its field. */
  readonly onkeydown = (event: KeyboardEvent): void => {
    if (!isNotesKey(event)) return;
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const thread = target.closest<HTMLElement>('[data-thread]')?.dataset.thread;
    if (thread === undefined && isCovered()) return;
    event.preventDefault();
    event.stopPropagation();
    if (thread !== undefined) {
      const note = this.notes.items.find(({ id }) => id === thread);
      if (note !== undefined) void this.go(note);
    } else if (target.closest('[data-notes]') !== null) {
      this.close();
    } else {
      void this.#fromForm(target);
    }
  };

  async #fromForm(target: HTMLElement): Promise<void> {
    const path = target.closest<HTMLElement>('[data-form] [data-path]')?.dataset.path;
    if (path === undefined) {
      await this.toggle();
      return;
    }
    const part = target.isContentEditable ? fieldPart(this.#formId, path) : undefined;
    const quote = part && selectedQuote(target.closest('[contenteditable="true"]') ?? part);
    if (quote === undefined && this.countAt(path) > 0) {
      await this.show(path);
      return;
    }
    const [name = ''] = /^[^.[]*/.exec(path) ?? [];
    const language = this.#localized.has(name) ? this.notes.language : null;
    await this.open();
    this.notes.anchor = { field: path, language, quote: quote ?? null };
  }
}

/** The key that types a letter with AltGr has both modifiers, and is none of ours. */
const isNotesKey = (event: KeyboardEvent): boolean =>
  event.code === 'KeyM' &&
  event.altKey &&
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.getModifierState('AltGraph');
