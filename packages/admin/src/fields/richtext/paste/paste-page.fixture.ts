import { Editor } from '@tiptap/core';
import { richtextExtensions } from '../extensions.ts';
import { emptyDocument, htmlOf, lostIn, schemaOf } from '../html/html-document.ts';
import { readMarkdown } from './markdown-document.ts';
import { readPaste } from './read-paste.ts';

/*
 * A page of the tests: the editor alone, in which contents of clipboards are pasted one after the other.
 */

const extensions = richtextExtensions(undefined);

function newEditor(): Editor {
  let last = 0;
  return new Editor({
    element: document.body,
    extensions,
    content: emptyDocument,
    injectCSS: false,
    editorProps: {
      transformPastedHTML: (html) =>
        readPaste(html, () => {
          last += 1;
          return String(last);
        }).html,
    },
  });
}

/** What the text field holds after HTML was pasted into an empty one. */
function pasted(html: string): string | null {
  const editor = newEditor();
  editor.view.pasteHTML(html);
  const text = htmlOf(editor.state.doc);
  editor.destroy();
  return text;
}

/** The same of plain text that is Markdown. */
function pastedMarkdown(text: string): string | null {
  const editor = newEditor();
  const { tr, selection } = editor.state;
  editor.view.dispatch(tr.replaceRange(selection.from, selection.to, readMarkdown(editor.schema, extensions, text)));
  const html = htmlOf(editor.state.doc);
  editor.destroy();
  return html;
}

/** What the editor would lose of a stored text. */
const lost = (html: string): readonly string[] => lostIn(schemaOf(extensions), html);

Object.assign(globalThis, { pasted, pastedMarkdown, lost });
