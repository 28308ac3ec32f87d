import type { Note, Quote } from './note-routes.ts';

const longestQuote = 500;
const longestContext = 64;

/** Text nodes with the places of their texts in the whole. */
interface TextPart {
  readonly node: Text;
  readonly start: number;
}

interface WholeText {
  readonly text: string;
  readonly parts: readonly TextPart[];
}

function textOf(root: Node): WholeText {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const parts: TextPart[] = [];
  let text = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    // What the walker shows are texts.
    parts.push({ node: node as Text, start: text.length });
    text += node.nodeValue ?? '';
  }
  return { text, parts };
}

/** Where a quote stands in a text: with what stood around it, or else alone. Undefined: nowhere. */
export function placeOf(text: string, { exact, prefix, suffix }: Quote): number | undefined {
  const around = text.indexOf(prefix + exact + suffix);
  if (around !== -1) return around + prefix.length;
  const behind = text.indexOf(prefix + exact);
  if (behind !== -1) return behind + prefix.length;
  const alone = text.indexOf(exact);
  return alone === -1 ? undefined : alone;
}

/** The passage of a quote inside an element; undefined where its words are not there any more. */
export function passageIn(root: Node, quote: Quote): Range | undefined {
  const { text, parts } = textOf(root);
  const start = placeOf(text, quote);
  if (start === undefined) return undefined;
  const from = partAt(parts, start);
  // The end of a passage is the end of a text, and not the beginning of the next one.
  const to = partAt(parts, start + quote.exact.length - 1);
  if (from === undefined || to === undefined) return undefined;
  const range = document.createRange();
  range.setStart(from.node, start - from.start);
  range.setEnd(to.node, start + quote.exact.length - to.start);
  return range;
}

const partAt = (parts: readonly TextPart[], place: number): TextPart | undefined =>
  parts.findLast(({ start }) => start <= place);

/** What is selected inside an element, as a quote; undefined: nothing that can be one. */
export function selectedQuote(root: Node): Quote | undefined {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return undefined;
  const { text, parts } = textOf(root);
  const [start, end] = [offsetOf(parts, range, 'start'), offsetOf(parts, range, 'end')];
  const exact = text.slice(start, Math.min(end, start + longestQuote));
  if (exact.trim() === '') return undefined;
  return {
    exact,
    prefix: text.slice(Math.max(0, start - longestContext), start),
    suffix: text.slice(start + exact.length, start + exact.length + longestContext),
  };
}

/** The place of an end of a range in the whole text. */
function offsetOf(parts: readonly TextPart[], range: Range, end: 'start' | 'end'): number {
  const [container, offset] =
    end === 'start' ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  const own = parts.find(({ node }) => node === container);
  if (own !== undefined) return own.start + offset;
  // Between elements: what stands before that place.
  const point = document.createRange();
  point.setStart(container, offset);
  point.collapse(true);
  const before = parts.findLast(({ node }) => point.comparePoint(node, node.length) <= 0);
  return before === undefined ? 0 : before.start + before.node.length;
}

/** The part of a form that shows the field at a path, or the innermost one around it. */
export function fieldPart(formId: string, path: string): HTMLElement | undefined {
  let outer = path;
  while (outer !== '') {
    for (const form of document.querySelectorAll(`[data-form="${CSS.escape(formId)}"]`)) {
      const part = form.querySelector<HTMLElement>(`[data-path="${CSS.escape(outer)}"]`);
      if (part !== null) return part;
    }
    outer = outer.slice(0, Math.max(outer.lastIndexOf('.'), outer.lastIndexOf('['), 0));
  }
  return undefined;
}

/** The text of a field that is written in, as it is shown; undefined for a field of another kind. */
const writtenPart = (part: HTMLElement): HTMLElement | null =>
  part.querySelector('[contenteditable="true"], [contenteditable="false"]');

/** The passage that a note is about, as the form shows it. */
export function passageOf(formId: string, { field, quote }: Note): Range | undefined {
  if (field === null || quote === null) return undefined;
  for (const path of new Set([field, field.replace(/[.[].*$/, '')])) {
    const part = fieldPart(formId, path);
    const written = part && writtenPart(part);
    const range = written ? passageIn(written, quote) : undefined;
    if (range !== undefined) return range;
  }
  return undefined;
}

/** Whether the browser marks passages without changing what is written. */
const canMark = (): boolean => typeof Highlight === 'function' && 'highlights' in CSS;

/** Marks the passages of notes in a form, the active one more strongly. */
export function markPassages(formId: string, notes: readonly Note[], active: string | undefined): void {
  if (!canMark()) return;
  const marked = (isActive: boolean): Range[] =>
    notes.filter(({ id }) => (id === active) === isActive).flatMap((note) => passageOf(formId, note) ?? []);
  CSS.highlights.set('recto-note', new Highlight(...marked(false)));
  CSS.highlights.set('recto-active-note', new Highlight(...marked(true)));
}

export function unmarkPassages(): void {
  if (!canMark()) return;
  CSS.highlights.delete('recto-note');
  CSS.highlights.delete('recto-active-note');
}
