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

const marks = ['bold', 'italic', 'underline', 'strike', 'code'] as const;
type Mark = (typeof marks)[number];

const markKeys: Readonly<Record<Mark, string>> = {
  bold: 'Ctrl+B',
  italic: 'Ctrl+I',
  underline: 'Ctrl+U',
  strike: 'Ctrl+Shift+S',
  code: 'Ctrl+E',
};

const markTool = (editor: Editor, name: Mark): Tool => ({
  name: t(`fields.${name}`),
  icon: name,
  keys: markKeys[name],
  isPressed: editor.isActive(name),
  run: () => editor.chain().focus().toggleMark(name).run(),
});

const linkTool = (editor: Editor, run: () => void): Tool => ({
  ...{ name: t('fields.link'), icon: 'link', keys: 'Ctrl+Shift+K' },
  ...{ isPressed: editor.isActive('link'), run },
});

const quoteTool = (editor: Editor): Tool => ({
  name: t('fields.quote'),
  icon: 'quote',
  isPressed: editor.isActive('blockquote'),
  run: () => editor.chain().focus().toggleBlockquote().run(),
});

const headingTool = (editor: Editor, level: 2 | 3): Tool => ({
  ...{ name: t('fields.heading', { level }), icon: 'heading', sign: `H${level}` },
  isPressed: editor.isActive('heading', { level }),
  run: () => editor.chain().focus().toggleHeading({ level }).run(),
});

/** Links stay: they are no matter of looks. */
function clearMarks(editor: Editor): void {
  const chain = editor.chain().focus();
  for (const name of marks) chain.unsetMark(name);
  chain.run();
}

/** The buttons beside the text that is selected. */
export const selectionTools = (editor: Editor, link: () => void): readonly (readonly Tool[])[] => [
  [markTool(editor, 'bold'), markTool(editor, 'italic'), linkTool(editor, link)],
  [headingTool(editor, 2), headingTool(editor, 3), quoteTool(editor)],
  [{ name: t('fields.clearFormat'), icon: 'eraser', run: () => clearMarks(editor) }],
];

/** The buttons of the toolbar, by groups, for the state that the editor is in. */
export function textTools(
  editor: Editor,
  { link, image, source, find, blocks, history }: More,
): readonly (readonly Tool[])[] {
  const chain = () => editor.chain().focus();
  const on = (name: string) => editor.isActive(name);
  return [
    [
      markTool(editor, 'bold'),
      markTool(editor, 'italic'),
      markTool(editor, 'underline'),
      markTool(editor, 'strike'),
      markTool(editor, 'code'),
      linkTool(editor, link),
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
      quoteTool(editor),
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
