import type { Editor } from '@tiptap/core';
import { t } from '../../text/text.ts';
import type { FormHistory } from '../field.ts';
import type { Tool } from './tool.ts';
import { typographicPreference } from './typography/preference.svelte.ts';

/** What a button needs beyond the editor. */
interface More {
  link(): void;
  image(): void;
  source(): void;
  find(): void;
  /** Offers all kinds of blocks. */
  blocks(): void;
  /** That of the form; undefined: the editor's own. */
  readonly history: FormHistory | undefined;
}

/** The buttons of the toolbar, by groups, for the state that the editor is in. */
export function textTools(
  editor: Editor,
  { link, image, source, find, blocks, history }: More,
): readonly (readonly Tool[])[] {
  const chain = () => editor.chain().focus();
  const on = (name: string) => editor.isActive(name);
  return [
    [
      {
        name: t('fields.bold'),
        icon: 'bold',
        keys: 'Ctrl+B',
        isPressed: on('bold'),
        run: () => chain().toggleBold().run(),
      },
      {
        name: t('fields.italic'),
        icon: 'italic',
        keys: 'Ctrl+I',
        isPressed: on('italic'),
        run: () => chain().toggleItalic().run(),
      },
      {
        name: t('fields.underline'),
        icon: 'underline',
        keys: 'Ctrl+U',
        isPressed: on('underline'),
        run: () => chain().toggleUnderline().run(),
      },
      {
        name: t('fields.strike'),
        icon: 'strike',
        keys: 'Ctrl+Shift+S',
        isPressed: on('strike'),
        run: () => chain().toggleStrike().run(),
      },
      {
        name: t('fields.code'),
        icon: 'code',
        keys: 'Ctrl+E',
        isPressed: on('code'),
        run: () => chain().toggleCode().run(),
      },
      { name: t('fields.link'), icon: 'link', keys: 'Ctrl+Shift+K', isPressed: on('link'), run: link },
    ],
    [
      {
        name: t('fields.bulletList'),
        icon: 'list',
        isPressed: on('bulletList'),
        run: () => chain().toggleBulletList().run(),
      },
      {
        name: t('fields.orderedList'),
        icon: 'list-numbers',
        isPressed: on('orderedList'),
        run: () => chain().toggleOrderedList().run(),
      },
      {
        name: t('fields.quote'),
        icon: 'quote',
        isPressed: on('blockquote'),
        run: () => chain().toggleBlockquote().run(),
      },
      {
        name: t('fields.codeBlock'),
        icon: 'code-block',
        isPressed: on('codeBlock'),
        run: () => chain().toggleCodeBlock().run(),
      },
    ],
    [
      { name: t('fields.blocks'), icon: 'plus', keys: '/', run: blocks },
      { name: t('fields.image'), icon: 'image', run: image },
    ],
    [
      {
        name: t('fields.undoTyping'),
        icon: 'undo',
        keys: 'Ctrl+Z',
        isDisabled: !(history?.canUndo ?? editor.can().undo()),
        run: () => (history === undefined ? void chain().undo().run() : history.undo()),
      },
      {
        name: t('fields.redoTyping'),
        icon: 'redo',
        keys: 'Ctrl+Shift+Z',
        isDisabled: !(history?.canRedo ?? editor.can().redo()),
        run: () => (history === undefined ? void chain().redo().run() : history.redo()),
      },
      { name: t('fields.findTool'), icon: 'search', keys: 'Ctrl+F', run: find },
      {
        name: t('fields.typographic'),
        icon: 'keyboard',
        isPressed: typographicPreference.isOn,
        run: () => typographicPreference.set(!typographicPreference.isOn),
      },
      { name: t('fields.editSource'), icon: 'markup', run: source },
    ],
  ];
}

/** The buttons for the table that the cursor is in. */
export function tableTools(editor: Editor): readonly Tool[] {
  const chain = () => editor.chain().focus();
  return [
    { name: t('fields.rowAfter'), icon: 'arrow-down', run: () => chain().addRowAfter().run() },
    { name: t('fields.columnAfter'), icon: 'arrow-right', run: () => chain().addColumnAfter().run() },
    { name: t('fields.deleteRow'), icon: 'minus', run: () => chain().deleteRow().run() },
    { name: t('fields.deleteColumn'), icon: 'columns', run: () => chain().deleteColumn().run() },
    { name: t('fields.deleteTable'), icon: 'trash', run: () => chain().deleteTable().run() },
  ];
}
