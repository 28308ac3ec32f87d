import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { FormLanguage } from '../field.ts';
import { endOfComposition } from './pictures/picture-text.ts';
import type { TextChange } from './pictures/source-pictures.ts';

interface Options {
  readonly language: 'html' | 'markdown';
  readonly text: string;
  readonly placeholder: string | undefined;
  readonly onchange: (text: string) => void;
  readonly onblur: () => void;
}

interface State {
  readonly label: string;
  readonly disabled: boolean;
  readonly written: FormLanguage | undefined;
  readonly required: boolean;
  readonly invalid: boolean;
  readonly description: string | undefined;
}

/** An editor of plain text, as components see it. */
export interface CodeEditor {
  setText(text: string): void;
  setState(state: State): void;
  /** Puts text around what is selected. */
  wrap(before: string, after: string): void;
  /** Puts text at the beginning of each selected line, or takes it away where all have it. */
  prefixLines(prefix: string): void;
  insert(text: string): void;
  /** What it holds. */
  readonly text: string;
  /** Changes several places in one step. */
  change(changes: readonly TextChange[]): void;
  /** Waits while an input method composes. */
  composed(): Promise<void>;
  readonly isGone: boolean;
  focus(): void;
  destroy(): void;
}

const theme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', maxHeight: '60vh', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', minHeight: '120px', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--text-muted)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url, tags.attributeValue, tags.string], color: 'var(--success-text)' },
  { tag: [tags.tagName, tags.processingInstruction, tags.angleBracket], color: 'var(--accent-text)' },
  { tag: [tags.attributeName, tags.quote, tags.comment, tags.meta], color: 'var(--text-muted)' },
]);

/** Makes an editor inside the shadow tree of an element. */
export function codeEditor(host: HTMLElement, { language, text, placeholder, onchange, onblur }: Options): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  const changeable = new Compartment();
  let known = text;
  let isGone = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        // Tab leaves the editor, as it leaves every field.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        language === 'html' ? html({ autoCloseTags: false }) : markdown(),
        syntaxHighlighting(colours),
        theme,
        placeholder === undefined ? [] : placeholderText(placeholder),
        changeable.of([]),
        EditorView.domEventHandlers({
          blur: onblur,
          // The browser puts the cursor at the beginning first: what is typed before it is where it was would stand there.
          focus(_, view) {
            view.focus();
          },
          // Left to itself, the browser styles what is typed in the place of coloured text, which the page's policy forbids.
          beforeinput(event, view) {
            if (event.inputType !== 'insertText' || event.data === null || view.state.selection.main.empty)
              return false;
            event.preventDefault();
            view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
            return true;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          const typed = update.state.doc.toString();
          if (typed === known) return;
          known = typed;
          onchange(typed);
        }),
      ],
    }),
  });

  const replaceSelection = (
    make: (selected: string) => { readonly insert: string; readonly from: number; readonly to: number },
  ): void => {
    const { from, to } = view.state.selection.main;
    const { insert, ...selection } = make(view.state.sliceDoc(from, to));
    const range = { anchor: from + selection.from, head: from + selection.to };
    view.dispatch({ changes: { from, to, insert }, selection: range, userEvent: 'input' });
    view.focus();
  };

  return {
    setText(next) {
      if (next === known) return;
      known = next;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    setState({ label, disabled, written, required, invalid, description }) {
      const dir = written?.direction === 'rtl' ? 'rtl' : 'auto';
      const attributes: Record<string, string> = { 'aria-label': label, dir };
      if (written !== undefined) attributes.lang = written.tag;
      if (required) attributes['aria-required'] = 'true';
      if (invalid) attributes['aria-invalid'] = 'true';
      if (disabled) attributes['aria-readonly'] = 'true';
      if (description !== undefined) attributes['aria-description'] = description;
      const editable = [EditorState.readOnly.of(disabled), EditorView.contentAttributes.of(attributes)];
      view.dispatch({ effects: changeable.reconfigure(editable) });
    },
    wrap(before, after) {
      replaceSelection((selected) => ({
        insert: `${before}${selected}${after}`,
        from: before.length,
        to: before.length + selected.length,
      }));
    },
    prefixLines(prefix) {
      const { doc, selection } = view.state;
      const first = doc.lineAt(selection.main.from).number;
      const last = doc.lineAt(selection.main.to).number;
      const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
      const isOn = lines.every((line) => line.text.startsWith(prefix));
      const changes = lines.map(({ from }) => (isOn ? { from, to: from + prefix.length } : { from, insert: prefix }));
      view.dispatch({ changes, userEvent: 'input' });
      view.focus();
    },
    insert(inserted) {
      replaceSelection(() => ({ insert: inserted, from: inserted.length, to: inserted.length }));
    },
    get text() {
      return view.state.doc.toString();
    },
    change(changes) {
      view.dispatch({ changes: [...changes], userEvent: 'input' });
    },
    composed: () => endOfComposition(view.contentDOM, view.composing),
    get isGone() {
      return isGone;
    },
    focus: () => view.focus(),
    destroy() {
      isGone = true;
      view.destroy();
    },
  };
}
