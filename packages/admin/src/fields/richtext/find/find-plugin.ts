import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

interface Match {
  readonly from: number;
  readonly to: number;
}

/** What is looked for in a text, and where it is. */
export interface Finding {
  readonly text: string;
  readonly isExact: boolean;
  readonly matches: readonly Match[];
  /** The match that is shown; undefined: there is none. */
  readonly current: number | undefined;
}

const nothing: Finding = { text: '', isExact: false, matches: [], current: undefined };
const key = new PluginKey<Finding>('find');

export const findingOf = (state: EditorState): Finding => key.getState(state) ?? nothing;

/** Where a text is in a document, in whichever marks; `isExact`: with the same large and small letters. */
export function matchesIn(document: Node, text: string, isExact: boolean): readonly Match[] {
  if (text === '') return [];
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`), isExact ? 'gu' : 'giu');
  const matches: Match[] = [];
  document.descendants((node, at) => {
    if (!node.isTextblock) return true;
    // What is no text counts as one character, which nobody looks for.
    const content = node.textBetween(0, node.content.size, undefined, '\uFFFC');
    for (const { index, 0: found } of content.matchAll(pattern)) {
      matches.push({ from: at + 1 + index, to: at + 1 + index + found.length });
    }
    return false;
  });
  return matches;
}

/** The match at or behind a place, or the first. */
function nearest(matches: readonly Match[], place: number): number | undefined {
  const found = matches.findIndex(({ from }) => from >= place);
  return matches.length === 0 ? undefined : Math.max(0, found);
}

function next(finding: Finding, tr: Transaction): Finding {
  const asked: Finding | undefined = tr.getMeta(key);
  if (asked !== undefined) return asked;
  if (!tr.docChanged || finding.text === '') return finding;
  const matches = matchesIn(tr.doc, finding.text, finding.isExact);
  const shown = finding.current === undefined ? undefined : finding.matches[finding.current];
  return { ...finding, matches, current: nearest(matches, shown === undefined ? 0 : tr.mapping.map(shown.from, 1)) };
}

/** Marks what is looked for in a text. */
export const Find = Extension.create({
  name: 'find',
  addProseMirrorPlugins: () => [
    new Plugin<Finding>({
      key,
      state: { init: () => nothing, apply: (tr, finding) => next(finding, tr) },
      props: {
        decorations(state) {
          const { matches, current } = findingOf(state);
          if (matches.length === 0) return undefined;
          const marks = matches.map(({ from, to }, index) =>
            Decoration.inline(from, to, { class: index === current ? 'found current' : 'found' }),
          );
          return DecorationSet.create(state.doc, marks);
        },
      },
    }),
  ],
});

function show(editor: Editor, finding: Finding): void {
  editor.view.dispatch(editor.state.tr.setMeta(key, finding));
  const match = finding.current === undefined ? undefined : finding.matches[finding.current];
  if (match === undefined) return;
  const { node } = editor.view.domAtPos(match.from);
  const element = node instanceof HTMLElement ? node : node.parentElement;
  element?.scrollIntoView({ block: 'center' });
}

/** Looks for a text, from the cursor on. */
export function find(editor: Editor, text: string, isExact: boolean): void {
  const matches = matchesIn(editor.state.doc, text, isExact);
  show(editor, { text, isExact, matches, current: nearest(matches, editor.state.selection.from) });
}

/** Goes to the next match, or with -1 to the one before. */
export function step(editor: Editor, by: 1 | -1): void {
  const finding = findingOf(editor.state);
  const { matches, current = 0 } = finding;
  if (matches.length === 0) return;
  show(editor, { ...finding, current: (current + by + matches.length) % matches.length });
}

function put(tr: Transaction, { from, to }: Match, text: string): void {
  if (text === '') tr.delete(from, to);
  else tr.insertText(text, from, to);
}

/** Replaces the match that is shown, and shows the next. */
export function replaceOne(editor: Editor, text: string): void {
  const { matches, current } = findingOf(editor.state);
  const match = current === undefined ? undefined : matches[current];
  if (match === undefined) return;
  const { tr } = editor.state;
  put(tr, match, text);
  editor.view.dispatch(closeHistory(tr));
  show(editor, findingOf(editor.state));
}

/** Replaces all matches in one step of the history. Returns how many there were. */
export function replaceAll(editor: Editor, text: string): number {
  const { matches } = findingOf(editor.state);
  if (matches.length === 0) return 0;
  const { tr } = editor.state;
  for (const match of matches.toReversed()) put(tr, match, text);
  editor.view.dispatch(closeHistory(tr));
  return matches.length;
}

/** Ends the search, with the match that was shown selected. */
export function endFinding(editor: Editor): void {
  const { matches, current } = findingOf(editor.state);
  const match = current === undefined ? undefined : matches[current];
  const { tr } = editor.state;
  if (match !== undefined) tr.setSelection(TextSelection.create(tr.doc, match.from, match.to));
  editor.view.dispatch(tr.setMeta(key, nothing));
}
