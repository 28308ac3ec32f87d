import type { Editor } from '@tiptap/core';
import { t } from '../../../text/text.ts';
import type { IconName } from '../../../ui/icons.ts';
import { insertFootnote } from '../footnotes/footnote-commands.ts';

/** A kind of block that is chosen after `/`. */
export interface BlockChoice {
  readonly name: string;
  readonly icon: IconName;
  run(): void;
}

/** What needs more than the editor. */
export interface AskingChoices {
  picture(): void;
  gallery(): void;
  embed(): void;
}

/** All blocks, in the order in which they are offered. */
export function blockChoices(editor: Editor, { picture, gallery, embed }: AskingChoices): readonly BlockChoice[] {
  const chain = () => editor.chain().focus();
  return [
    ...([2, 3, 4] as const).map((level) => ({
      name: t('fields.heading', { level }),
      icon: 'heading' as const,
      run: () => void chain().setHeading({ level }).run(),
    })),
    { name: t('fields.bulletList'), icon: 'list', run: () => void chain().toggleBulletList().run() },
    { name: t('fields.orderedList'), icon: 'list-numbers', run: () => void chain().toggleOrderedList().run() },
    { name: t('fields.quote'), icon: 'quote', run: () => void chain().toggleBlockquote().run() },
    { name: t('fields.codeBlock'), icon: 'code-block', run: () => void chain().toggleCodeBlock().run() },
    {
      name: t('fields.table'),
      icon: 'table',
      run: () => void chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    },
    { name: t('fields.image'), icon: 'image', run: picture },
    { name: t('fields.gallery'), icon: 'documents', run: gallery },
    { name: t('fields.embed'), icon: 'external', run: embed },
    { name: t('fields.footnote'), icon: 'info', run: () => insertFootnote(editor) },
    { name: t('fields.rule'), icon: 'minus', run: () => void chain().setHorizontalRule().run() },
  ];
}

const comparable = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** Those of which a word begins with what was typed. */
export function choicesFor(choices: readonly BlockChoice[], typed: string): readonly BlockChoice[] {
  const wanted = comparable(typed);
  return choices.filter(({ name }) => {
    const words = comparable(name);
    return words.startsWith(wanted) || words.split(/\s+/).some((word) => word.startsWith(wanted));
  });
}
