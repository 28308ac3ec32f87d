import type { Editor, EditorOptions, Extensions } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { t } from '../../text/text.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import type { Uploads } from '../media/uploads.svelte.ts';
import { schemaOf } from './html/html-document.ts';
import { inertHtml } from './html/inert-html.ts';
import { HeldPictures } from './paste/held-pictures.ts';
import { insertText, pastedText } from './paste/paste-text.ts';
import { copySerializer, readPaste } from './paste/read-paste.ts';
import type { PictureInsertion } from './pictures/picture-insertion.ts';
import { behindElement } from './typing-beside.ts';

type ViewProps = EditorOptions['editorProps'];

/** What the events of an editor need. The editor is made with them, so that it and what works on it come later. */
interface Context {
  readonly extensions: Extensions;
  readonly uploads: Uploads;
  /** The text has no edge of its own, and the window scrolls it. */
  readonly isPage: boolean;
  editor(): Editor;
  pictures(): PictureInsertion;
  attributes(): Record<string, string>;
  /** Returns whether a key was for what is shown beside the cursor. */
  onkey(event: KeyboardEvent): boolean;
}

const imagesOf = (data: DataTransfer | null): readonly File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

/** Word processors and spreadsheets add a picture of the text that they copy. */
const hasText = (data: DataTransfer | null): boolean =>
  inertHtml(data?.getData('text/html') ?? '').textContent?.trim() !== '';

const typing: NonNullable<ViewProps['handleDOMEvents']> = {
  // Left to itself, the browser may style what is typed in the place of other text, which the page's policy forbids.
  beforeinput(view, event) {
    if (event.inputType !== 'insertText' || event.data === null || view.state.selection.empty) return false;
    event.preventDefault();
    const tr = behindElement(view.state) ?? view.state.tr;
    view.dispatch(tr.insertText(event.data).scrollIntoView());
    return true;
  },
  // The editor may not have heard yet where the key before has put the cursor: this one would replace what was selected then.
  keydown(_, { isComposing }) {
    if (!isComposing) document.dispatchEvent(new Event('selectionchange'));
    return false;
  },
  // The browser puts the cursor at the beginning first: what is typed before it is where it was would stand there.
  focus(view) {
    view.focus();
    return false;
  },
  // Before an input method shows what it composes.
  compositionstart(view) {
    const behind = behindElement(view.state);
    if (behind !== undefined) view.dispatch(behind);
    return false;
  },
};

/** Whether the cursor is within the window, and not below what lies over its ends. */
function isCursorSeen(view: EditorView, { top, bottom }: { readonly top: number; readonly bottom: number }): boolean {
  const { selection } = view.state;
  if (!(selection instanceof TextSelection) || !selection.empty) return false;
  const cursor = view.coordsAtPos(selection.head);
  return cursor.top >= top && cursor.bottom <= (window.visualViewport?.height ?? window.innerHeight) - bottom;
}

/** How an editor takes what is typed, pasted and dropped. */
export function viewProps({ extensions, uploads, isPage, editor, pictures, attributes, onkey }: Context): ViewProps {
  const held = new HeldPictures();
  const isNarrow = matchMedia('(max-width: 759px)').matches;
  const thresholds = isNarrow
    ? { top: 60, bottom: 120, left: 0, right: 0 }
    : { top: 120, bottom: 60, left: 0, right: 0 };
  /** What comes is to be pasted without its looks. */
  let pastesPlain = false;
  return {
    // What lies over the ends of the page: the bar of the record and the line of tools, on a phone both at its lower end.
    scrollMargin: isNarrow ? { top: 80, bottom: 140, left: 5, right: 5 } : { top: 140, bottom: 80, left: 5, right: 5 },
    scrollThreshold: thresholds,
    // Each key asks to be seen. The editor's own answer measures everything that the text stands in.
    handleScrollToSelection: (view) => isPage && isCursorSeen(view, thresholds),
    attributes,
    handleDOMEvents: typing,
    clipboardSerializer: copySerializer(schemaOf(extensions)),
    transformPastedHTML(html) {
      const read = readPaste(html, undefined, held);
      if (read.lostPictures > 0) toast(t('fields.lostPictures', { count: read.lostPictures }), { kind: 'info' });
      queueMicrotask(() => void held.settle(editor(), (file) => uploads.add(file)));
      return read.html;
    },
    handleKeyDown(_, event) {
      if (onkey(event)) return true;
      const { key, ctrlKey, metaKey, shiftKey } = event;
      const isCommand = ctrlKey || metaKey;
      pastesPlain = isCommand && shiftKey && key.toLowerCase() === 'v';
      // Publishes the record; the editor would break the line, and the change would come after that.
      return key === 'Enter' && isCommand && !shiftKey;
    },
    handleTextInput(view, _from, _to, text) {
      const behind = behindElement(view.state);
      if (behind === undefined) return false;
      view.dispatch(behind.insertText(text).scrollIntoView());
      return true;
    },
    handlePaste(view, event) {
      const behind = behindElement(view.state);
      if (behind !== undefined) view.dispatch(behind);
      const images = imagesOf(event.clipboardData);
      if (images.length > 0 && !hasText(event.clipboardData)) {
        void pictures().insertFiles(images, view.state.selection.to);
        return true;
      }
      const { parent } = view.state.selection.$from;
      const isPlain = pastesPlain || parent.type.spec.code === true;
      const text = isPlain ? undefined : pastedText(event.clipboardData, parent.content.size === 0);
      if (text === undefined) return false;
      void insertText(editor(), extensions, text);
      return true;
    },
    handleDrop(view, event) {
      const images = imagesOf(event.dataTransfer);
      if (images.length === 0) return false;
      event.preventDefault();
      const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
      editor().commands.focus(place?.pos);
      void pictures().insertFiles(images, view.state.selection.to);
      return true;
    },
  };
}
