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
  const lexical = documentOf(row.lexical);
  const mobiledoc = documentOf(row.mobiledoc);
  const remarks: string[] = [];
  const lost = (name: string): void => {
    remarks.push(`parts of the kind “${name.slice(0, 40)}”, which have no HTML: left out`);
  };
  if (lexical !== undefined) return { html: lexicalHtml(lexical.root, { card: ghostCard, lost }), remarks };
  if (mobiledoc !== undefined) return { html: mobiledocHtml(mobiledoc, { card: ghostCard, lost }), remarks };
  const markdown = textOf(row.markdown);
  return { html: markdown === '' ? '' : Bun.markdown.html(markdown), remarks };
}

/** A damaged document is none. */
function documentOf(value: JsonValue | undefined): Table | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    // What is no JSON throws.
    const parsed = JSON.parse(value) as JsonValue;
    return isTable(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const gate = /<!--\s*kg-gated-block:(begin|end)\b([^>]*?)-->/g;

/** HTML without the parts that Ghost shows to some readers alone. One that does not end reaches to the end of the text. */
function withoutGated(html: string): { readonly html: string; readonly isCut: boolean } {
  const kept: string[] = [];
  let [isHidden, isCut, end] = [false, false, 0];
  for (const match of html.matchAll(gate)) {
    if (!isHidden) kept.push(html.slice(end, match.index));
    end = match.index + match[0].length;
    isHidden = match[1] === 'begin' && !/\bnonMember:\s*true\b/.test(match[2] ?? '');
    isCut ||= isHidden;
  }
  if (!isHidden) kept.push(html.slice(end));
  return { html: kept.join(''), isCut };
}

/** What is not stored of a text: see `allowed-html.ts`. */
function lostOf(html: string): readonly string[] {
  const frames = [...html.matchAll(/<iframe\b[^>]*?\ssrc=["']([^"']*)/gi)].map(([, address = '']) => address);
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
