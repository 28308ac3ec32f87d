import type { TiptapEditorHTMLElement } from '@tiptap/core';
import { htmlText } from '../../api/html-text.ts';
import { focusPath } from '../../fields/reveal.ts';

/** A heading of a rich text. */
export interface Heading {
  /** Its place among the headings of its text, from 0. */
  readonly index: number;
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

const heading = /<h([1-6])\b(?:[^<>"]|"[^"]*")*>(.*?)<\/h\1>/gis;

/** The headings of a rich text as it is stored. Those without words are left out. */
export const headingsOf = (html: string): readonly Heading[] =>
  [...html.matchAll(heading)]
    .map(([, level, inner = ''], index) => ({ index, level: Number(level), text: oneLine(htmlText(inner)) }))
    .filter(({ text }) => text !== '');

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Puts the cursor before a heading of the text at a path, and scrolls it into view. Text that is edited as source gets the focus. */
export async function goToHeading(formId: string, path: string, { index, text }: Heading): Promise<void> {
  const form = `[data-form="${CSS.escape(formId)}"]`;
  const view = document.querySelector<HTMLElement>(`${form} [data-path="${CSS.escape(path)}"] .rich-text`);
  const shown = [...(view?.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6') ?? [])];
  const matches = (one: HTMLElement): boolean => oneLine(one.textContent) === text;
  // Parts that are shown as source have headings that are none here.
  const target = shown.filter(matches).find((one) => shown.indexOf(one) >= index) ?? shown.find(matches);
  const editor = view === null ? undefined : editorOf(view);
  if (target === undefined || editor === undefined) {
    await focusPath(formId, path);
    return;
  }
  editor.commands.focus(editor.view.posAtDOM(target, 0), { scrollIntoView: false });
  target.scrollIntoView({ block: 'center' });
}

/** TipTap keeps the editor with the element that it edits. */
const editorOf = (view: HTMLElement): TiptapEditorHTMLElement['editor'] =>
  'editor' in view ? (view as TiptapEditorHTMLElement).editor : undefined;
