import { flushSync, tick } from 'svelte';
import type { UndoHistory, Undone } from '../../editing/undo-history.svelte.ts';
import { focusPath } from '../../fields/reveal.ts';

interface Options {
  readonly history: UndoHistory;
  readonly formId: string;
  /** Reports what was typed, so that it can be taken back. */
  settle(): void;
  put(name: string, value: unknown): void;
  /** What was taken back stands in another field than the one that has the focus, or nobody sees it. */
  say(name: string, kind: 'undo' | 'redo'): void;
}

/** Takes back the last change of the form and shows where it was, whichever field has the focus. */
export class FormUndo {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  get canUndo(): boolean {
    return this.#options.history.canUndo;
  }

  get canRedo(): boolean {
    return this.#options.history.canRedo;
  }

  readonly undo = (): void => this.#go('undo');
  readonly redo = (): void => this.#go('redo');
  readonly close = (): void => this.#options.history.close();

  #go(kind: 'undo' | 'redo'): void {
    const { history, settle, put } = this.#options;
    settle();
    // Controls hear of what was typed first: a value that is back before that would be no change to them.
    flushSync();
    const undone = history[kind]();
    for (const { name, to } of undone) put(name, to);
    if (undone[0] !== undefined) void this.#show(undone[0], kind);
  }

  async #show({ name, from, to }: Undone, kind: 'undo' | 'redo'): Promise<void> {
    const { formId, say } = this.#options;
    const isThere = (): boolean => fieldOf(document.activeElement) === name;
    await tick();
    if (!isThere()) {
      await focusPath(formId, name);
      say(name, kind);
    }
    const control = document.activeElement;
    const isText =
      control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type === 'text');
    if (isText && typeof (to ?? '') === 'string' && control.value === (to ?? '')) {
      const end = changeEnd(typeof from === 'string' ? from : '', control.value);
      control.setSelectionRange(end, end);
    }
  }

  /** Whether keys at this place are for the history of the form. */
  #owns(target: EventTarget | null): boolean {
    if (!(target instanceof Element)) return false;
    if (
      target.closest('[role="dialog"]') !== null &&
      target.closest(`[data-form="${CSS.escape(this.#options.formId)}"]`) === null
    )
      return false;
    if (target === document.body) return true;
    const form = target.closest('[data-form]');
    // A field beside the form, such as a search, or of a form inside of it.
    if (form?.getAttribute('data-form') !== this.#options.formId)
      return form === null && !target.matches('input, textarea');
    // The address of a link and the like: they are no values of the form.
    return !target.matches('input, textarea') || target.id.startsWith(`${this.#options.formId}:`);
  }

  readonly onkeydown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing || !this.#owns(event.target)) return;
    const key = event.key.toLowerCase();
    const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey && !event.metaKey);
    if (key !== 'z' && !isRedo) return;
    // Otherwise the browser takes back the last change of any field of the page.
    event.preventDefault();
    event.stopPropagation();
    this.#go(isRedo ? 'redo' : 'undo');
  };

  /** The same from a menu of the browser. */
  readonly onbeforeinput = (event: InputEvent): void => {
    const kind = event.inputType === 'historyUndo' ? 'undo' : event.inputType === 'historyRedo' ? 'redo' : undefined;
    if (kind === undefined || !this.#owns(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#go(kind);
  };
}

function fieldOf(element: Element | null): string | undefined {
  return element?.closest('[data-path]')?.getAttribute('data-path')?.split(/[.[]/)[0];
}

/** Where the part of a text ends that another did not have. */
function changeEnd(before: string, after: string): number {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return after.length - same;
}
