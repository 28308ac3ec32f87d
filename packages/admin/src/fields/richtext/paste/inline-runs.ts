import type { Look } from './text-look.ts';

/** An element around text that has no look of its own, such as `kbd`; or a link. */
export interface Wrap {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export type Run = Readonly<
  | { kind: 'text'; text: string; look: Look; wraps: readonly Wrap[] }
  | { kind: 'break' }
  | { kind: 'element'; element: Element; wraps: readonly Wrap[] }
>;

export const isBlank = (text: string): boolean => /^[\s\u00a0\u200b\ufeff]*$/.test(text);

/** Whether nothing would be seen of them. */
export const isEmpty = (runs: readonly Run[]): boolean =>
  runs.every((run) => run.kind === 'break' || (run.kind === 'text' && isBlank(run.text)));

/** White space as a browser shows it: one space, and none at the ends of a line. A single no-break space between words stays. */
export function collapsed(runs: readonly Run[]): readonly Run[] {
  const kept: Run[] = [];
  let endsWithSpace = true;
  for (const run of runs) {
    if (run.kind !== 'text') {
      if (run.kind === 'break') trimEnd(kept);
      kept.push(run);
      endsWithSpace = run.kind === 'break';
      continue;
    }
    let text = run.text.replace(/[\u200b\ufeff\u00ad]/g, '').replace(/\u00a0?[ \t\r\n\f]+[\s\u00a0]*|\u00a0{2,}/g, ' ');
    if (endsWithSpace) text = text.replace(/^[\s\u00a0]+/, '');
    if (text === '') continue;
    kept.push({ ...run, text });
    endsWithSpace = /\s$/.test(text);
  }
  for (;;) {
    trimEnd(kept);
    if (kept.at(-1)?.kind !== 'break') break;
    kept.pop();
  }
  while (kept[0]?.kind === 'break') kept.shift();
  return kept;
}

function trimEnd(runs: Run[]): void {
  for (let last = runs.at(-1); last?.kind === 'text'; last = runs.at(-1)) {
    const text = last.text.replace(/[\s\u00a0]+$/, '');
    runs.pop();
    if (text === '') continue;
    runs.push({ ...last, text });
    return;
  }
}

/** Lines that two breaks keep apart, as mail programs write paragraphs. */
export function paragraphs(runs: readonly Run[]): readonly (readonly Run[])[] {
  const all: Run[][] = [[]];
  let breaks = 0;
  for (const run of runs) {
    if (run.kind === 'break') {
      breaks += 1;
      continue;
    }
    // Space between two breaks.
    if (breaks > 0 && run.kind === 'text' && isBlank(run.text)) continue;
    if (breaks > 1) all.push([]);
    else if (breaks === 1) all.at(-1)?.push({ kind: 'break' });
    breaks = 0;
    all.at(-1)?.push(run);
  }
  return all.map(collapsed).filter((one) => one.length > 0);
}

/** Without the look that all of it has, where the element that it stands in looks so anyway. */
export function withoutBold(runs: readonly Run[]): readonly Run[] {
  const isAll = runs.every((run) => run.kind !== 'text' || run.look.bold || isBlank(run.text));
  return isAll ? runs.map((run) => (run.kind === 'text' ? { ...run, look: { ...run.look, bold: false } } : run)) : runs;
}

/** The elements around a text, from the outside. */
function elementsOf(run: Exclude<Run, { kind: 'break' }>): readonly Wrap[] {
  if (run.kind === 'element') return run.wraps;
  const { look, wraps } = run;
  const isLink = wraps.some(({ tag }) => tag === 'a');
  const tags = [
    ...(look.bold ? ['strong'] : []),
    ...(look.italic ? ['em'] : []),
    ...(look.underline && !isLink ? ['u'] : []),
    ...(look.strike ? ['s'] : []),
    ...(look.script === undefined ? [] : [look.script]),
    ...(look.code ? ['code'] : []),
  ];
  return [...wraps, ...tags.map((tag) => ({ tag, attributes: {} }))];
}

const isSame = (a: Wrap | undefined, b: Wrap | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.tag === b.tag &&
  JSON.stringify(a.attributes) === JSON.stringify(b.attributes);

/** Puts text into an element. Neighbours that look the same share their elements. */
export function writeRuns(into: Element, runs: readonly Run[]): void {
  const { ownerDocument } = into;
  const open: { readonly wrap: Wrap; readonly element: Element }[] = [];
  for (const run of runs) {
    if (run.kind === 'break') {
      (open.at(-1)?.element ?? into).append(ownerDocument.createElement('br'));
      continue;
    }
    const wraps = elementsOf(run);
    const differs = wraps.findIndex((wrap, at) => !isSame(wrap, open[at]?.wrap));
    open.length = Math.min(open.length, differs < 0 ? wraps.length : differs);
    for (const wrap of wraps.slice(open.length)) {
      const element = ownerDocument.createElement(wrap.tag);
      for (const [name, value] of Object.entries(wrap.attributes)) element.setAttribute(name, value);
      (open.at(-1)?.element ?? into).append(element);
      open.push({ wrap, element });
    }
    (open.at(-1)?.element ?? into).append(run.kind === 'text' ? run.text : run.element);
  }
}
