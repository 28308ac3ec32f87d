import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import { afterFrame } from '../../ui/after-frame.ts';
import { documentOf, htmlOf } from './html/html-document.ts';
import { replacing } from './replacing.ts';

/**
 * Documents are reported after the frame that shows a key: then the page has time, and a fixed time later the next key would often have to wait.
 * Serializing longer ones takes a while: they are reported as often as this at most, in milliseconds, and once more when typing rests.
 */
const longDocument = 20_000;
const pause = 250;

const mostWritten = 500;

interface Options {
  readonly onchange: (html: string | null) => void;
  /** `report` is called where the text is asked for before it is reported. Returns what says that it was. */
  readonly hold: (report: () => void) => () => void;
}

/** Reports the HTML of an editor's document as it changes, and shows HTML that comes from elsewhere. */
export class DocumentReports {
  readonly #editor: Editor;
  readonly #options: Options;
  #reported: string | null = null;
  #reportedAt = 0;
  /** Cancels the report that is to come. */
  #waiting: (() => void) | undefined;
  /** Called when it has come. */
  #release: (() => void) | undefined;
  /** The documents of texts that were reported: one that is taken back comes as it was. */
  readonly #written = new Map<string | null, Node>();

  constructor(editor: Editor, text: string, options: Options) {
    this.#editor = editor;
    this.#options = options;
    this.#put(text);
    this.#reported = text === '' ? null : text;
    this.#keepWritten();
  }

  /** The document has changed. */
  changed(): void {
    this.#release ??= this.#options.hold(this.flush);
    const isLong = this.#editor.state.doc.content.size >= longDocument;
    if (!isLong) {
      this.#waiting ??= afterFrame(this.flush);
      return;
    }
    this.#waiting?.();
    if (performance.now() - this.#reportedAt >= pause) {
      this.#waiting = afterFrame(this.flush);
      return;
    }
    const timer = setTimeout(this.flush, pause);
    this.#waiting = () => clearTimeout(timer);
  }

  /** Reports now what is still to be reported. */
  readonly flush = (): void => {
    if (this.#waiting === undefined) return;
    this.#waiting();
    this.#waiting = undefined;
    this.#release?.();
    this.#release = undefined;
    this.#reported = htmlOf(this.#editor.state.doc);
    this.#reportedAt = performance.now();
    this.#keepWritten();
    this.#options.onchange(this.#reported);
  };

  /** Shows the text that the form has, unless it is what was reported, or a newer one is to be reported. */
  show(given: string): void {
    const text = given === '' ? null : given;
    if (text === this.#reported || this.#waiting !== undefined) return;
    this.#reported = text;
    this.#put(given);
  }

  /** A text from elsewhere: it is no change of this editor, and cannot be undone in it. Of one that is taken back, the cursor goes to its change. */
  #put(text: string): void {
    const editor = this.#editor;
    const own = this.#written.get(text === '' ? null : text);
    const { tr, at } = replacing(editor.state, own ?? documentOf(editor.schema, text));
    if (!tr.docChanged) return;
    if (own !== undefined) tr.setSelection(Selection.near(tr.doc.resolve(at), -1)).scrollIntoView();
    // At the beginning: an element at the end would be selected as a whole.
    else if (!editor.isFocused) tr.setSelection(Selection.atStart(tr.doc));
    editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta('preventUpdate', true));
  }

  #keepWritten(): void {
    const written = this.#written;
    written.delete(this.#reported);
    written.set(this.#reported, this.#editor.state.doc);
    const [oldest] = written.keys();
    if (written.size > mostWritten && oldest !== undefined) written.delete(oldest);
  }
}
