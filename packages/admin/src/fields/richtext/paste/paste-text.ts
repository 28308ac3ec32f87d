import type { Editor, EditorEvents, Extensions } from '@tiptap/core';
import { Fragment, type Schema, Slice } from '@tiptap/pm/model';
import { embedAddress } from './embed-address.ts';
import { looksLikeMarkdown } from './markdown-text.ts';

/** Plain text that is more than lines. */
export type PastedText = Readonly<
  | { kind: 'markdown'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'embed'; address: string }
>;

/** What Visual Studio Code says of what it copies. */
function codeLanguage(data: DataTransfer): string | undefined {
  const facts = data.getData('vscode-editor-data');
  if (facts === '') return undefined;
  return /"mode"\s*:\s*"([\w+#-]+)"/.exec(facts)?.[1] ?? '';
}

/**
 * Plain text that is Markdown, code or, on a line of its own, the address of a known player; undefined: it is pasted as it is, or as the HTML
 * beside it.
 */
export function pastedText(data: DataTransfer | null, isOnLineOfItsOwn: boolean): PastedText | undefined {
  const text = data?.getData('text/plain') ?? '';
  if (data === null || text.trim() === '') return undefined;
  const address = isOnLineOfItsOwn ? embedAddress(text) : undefined;
  if (address !== undefined) return { kind: 'embed', address };
  const language = codeLanguage(data);
  if (language !== undefined && language !== 'markdown') {
    // A word or a part of a line goes into the line.
    return text.includes('\n') ? { kind: 'code', text, language: language === 'plaintext' ? '' : language } : undefined;
  }
  if (language === undefined && data.types.includes('text/html')) return undefined;
  return looksLikeMarkdown(text) ? { kind: 'markdown', text } : undefined;
}

function codeBlock(schema: Schema, { text, language }: Extract<PastedText, { kind: 'code' }>): Slice {
  const content = schema.text(text.replace(/\r\n?/g, '\n').replace(/\n+$/, ''));
  const block = schema.nodes.codeBlock?.create(language === '' ? null : { language }, content);
  return block === undefined ? Slice.empty : new Slice(Fragment.from(block), 0, 0);
}

/** A frame that shows what is at an address of `frameAddress`. */
export function frameSlice(schema: Schema, address: string): Slice {
  const html = `<iframe src="${address.replaceAll('&', '&amp;').replaceAll('"', '%22')}" width="560" height="315" allowfullscreen=""></iframe>`;
  const block = schema.nodes.opaque?.create({ html });
  return block === undefined ? Slice.empty : new Slice(Fragment.from(block), 0, 0);
}

/** Puts it in the place of the selection. What reads Markdown is loaded first: what is typed meanwhile stands behind it. */
export async function insertText(editor: Editor, extensions: Extensions, pasted: PastedText): Promise<void> {
  let { from, to } = editor.state.selection;
  const follow = ({ transaction }: EditorEvents['transaction']): void => {
    from = transaction.mapping.map(from, -1);
    to = transaction.mapping.map(to, -1);
  };
  editor.on('transaction', follow);
  try {
    const slice = await sliceOf(editor, extensions, pasted);
    if (editor.isDestroyed) return;
    if (slice === undefined) {
      const text = pasted.kind === 'embed' ? pasted.address : pasted.text;
      editor.commands.insertContentAt({ from, to }, text.split(/\n+/).map(paragraph));
      return;
    }
    const { tr } = editor.state;
    editor.view.dispatch(tr.replaceRange(from, to, slice).scrollIntoView());
  } finally {
    editor.off('transaction', follow);
  }
}

function sliceOf(editor: Editor, extensions: Extensions, pasted: PastedText): Slice | Promise<Slice | undefined> {
  if (pasted.kind === 'code') return codeBlock(editor.schema, pasted);
  if (pasted.kind === 'embed') return frameSlice(editor.schema, pasted.address);
  return markdown(editor, extensions, pasted.text);
}

const paragraph = (text: string) => ({ type: 'paragraph', content: text === '' ? [] : [{ type: 'text', text }] });

/** Undefined: it could not be read, or what reads it could not be loaded. */
async function markdown(editor: Editor, extensions: Extensions, text: string): Promise<Slice | undefined> {
  try {
    const { readMarkdown } = await import('./markdown-document.ts');
    return readMarkdown(editor.schema, extensions, text);
  } catch {
    return undefined;
  }
}
