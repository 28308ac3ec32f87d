import { embedHosts } from '../../definition/fields/allowed-html.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { lexicalHtml } from '../importers/lexical-html.ts';
import { ghostCard } from './ghost-cards.ts';
import { textOf } from './ghost-tables.ts';
import { mobiledocHtml } from './mobiledoc-html.ts';

/** The text of a post in HTML, with what is lost of it. */
export interface GhostText {
  readonly html: string;
  readonly remarks: readonly string[];
}

/** The text that visitors read. It is made of what the editor wrote where Ghost has not made it yet. */
export function ghostText(row: Table): GhostText {
  const stored = textOf(row.html);
  const made = stored === '' ? editorText(row) : { html: stored, remarks: [] };
  const { html, isCut } = withoutGated(made.html);
  return {
    html,
    remarks: [...made.remarks, ...(isCut ? ['parts that only some readers see: left out'] : []), ...lostOf(html)],
  };
}

function editorText(row: Table): GhostText {
  const lexical = documentOf(row.lexical, ({ root }) => isTable(root));
  const mobiledoc = documentOf(row.mobiledoc, ({ sections }) => Array.isArray(sections));
  const isDamaged = lexical === 'damaged' || (lexical === undefined && mobiledoc === 'damaged');
  const remarks = isDamaged ? ['a text that is damaged: left out'] : [];
  const lost = (name: string): void => {
    remarks.push(`parts of the kind “${name.slice(0, 40)}”, which have no HTML: left out`);
  };
  if (isTable(lexical)) return { html: lexicalHtml(lexical.root, { card: ghostCard, lost }), remarks };
  if (isTable(mobiledoc)) return { html: mobiledocHtml(mobiledoc, { card: ghostCard, lost }), remarks };
  const markdown = textOf(row.markdown);
  return { html: markdown === '' ? '' : Bun.markdown.html(markdown), remarks };
}

/** What the editor wrote; undefined: nothing. */
function documentOf(
  value: JsonValue | undefined,
  isDocument: (parsed: Table) => boolean,
): Table | 'damaged' | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return 'damaged';
  try {
    // What is no JSON throws.
    const parsed = JSON.parse(value) as JsonValue;
    return isTable(parsed) && isDocument(parsed) ? parsed : 'damaged';
  } catch {
    return 'damaged';
  }
}

/**
 * HTML without the parts that Ghost shows to some readers alone. One that does not end reaches to the end of the text, and so does a mark without
 * an end. What only looks like the begin of such a part hides, so that nothing is shown by a mistake.
 */
function withoutGated(html: string): { readonly html: string; readonly isCut: boolean } {
  const kept: string[] = [];
  let [isHidden, isCut, end] = [false, false, 0];
  for (let at = html.indexOf('<!--'); at >= 0; ) {
    const close = html.indexOf('-->', at + 4);
    const next = close < 0 ? html.length : close + 3;
    const mark = html.slice(at + 4, close < 0 ? next : close);
    const begins = mark.includes('kg-gated-block:begin');
    if (begins || /^\s*kg-gated-block:end\b/.test(mark)) {
      if (!isHidden) kept.push(html.slice(end, at));
      end = next;
      isHidden = begins && (isHidden || close < 0 || !/\bnonMember:\s*true\b/.test(mark));
      isCut ||= isHidden;
    }
    at = html.indexOf('<!--', next);
  }
  if (!isHidden) kept.push(html.slice(end));
  return { html: kept.join(''), isCut };
}

/** What is not stored of a text: see `allowed-html.ts`. */
function lostOf(html: string): readonly string[] {
  const frames = [...html.matchAll(/<iframe\b[^<>]*?\ssrc=["']([^"']*)/gi)].map(([, address = '']) => address);
  const isOther = frames.some((address) => !isEmbed(address));
  return [
    ...(/<script\b/i.test(html) ? ['scripts in texts: left out'] : []),
    ...(/<style\b/i.test(html) ? ['styles in texts: left out'] : []),
    ...(/<(?:form|input|button|svg|object|embed)\b/i.test(html)
      ? ['forms, drawings or objects in texts: left out']
      : []),
    ...(isOther ? ['frames of other sites in texts: left out'] : []),
  ];
}

function isEmbed(address: string): boolean {
  const text = address.startsWith('//') ? `https:${address}` : address;
  return URL.canParse(text) && embedHosts.includes(new URL(text).host);
}
