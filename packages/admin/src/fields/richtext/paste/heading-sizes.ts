import { isBlank } from './inline-runs.ts';
import type { PastedStyles } from './pasted-styles.ts';

/** Pixels of a size in the units that programs copy; undefined for relative ones. */
function pixels(text: string | undefined): number | undefined {
  const found = /(?:^|\s)([\d.]+)(px|pt)(?=$|[\s/])/i.exec(text ?? '');
  if (found === null) return undefined;
  return Number(found[1]) * (found[2]?.toLowerCase() === 'pt' ? 4 / 3 : 1);
}

const longestHeading = 200;

/**
 * Finds headings by their size, where a program copies none as such: Pages, Notes, mail programs. The size of most of the text is that of
 * paragraphs.
 */
export function headingSizes(root: Element, styles: PastedStyles): (block: Element) => 'h2' | 'h3' | undefined {
  const none = (): undefined => undefined;
  if (root.querySelector('h1, h2, h3, h4, h5, h6, table') !== null) return none;
  const counts = new Map<number, number>();
  const sizes = new Map<Element, Set<number>>();
  const visit = (node: Element, size: number, block: Element): void => {
    const of = styles.of(node);
    const own = pixels(of.get('font-size') ?? of.get('font')) ?? size;
    const inner = /^(?:p|div|li)$/.test(node.localName) ? node : block;
    for (const child of node.childNodes) {
      if (child instanceof Element) visit(child, own, inner);
      else if (child.nodeType === Node.TEXT_NODE && !isBlank(child.nodeValue ?? '')) {
        counts.set(own, (counts.get(own) ?? 0) + (child.nodeValue ?? '').trim().length);
        sizes.set(inner, (sizes.get(inner) ?? new Set()).add(own));
      }
    }
  };
  visit(root, 0, root);
  const usual = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  if (usual === 0) return none;
  return (block) => {
    const own = sizes.get(block);
    const size = own?.size === 1 ? ([...own][0] ?? 0) : 0;
    if (size < usual * 1.15 || (block.textContent ?? '').trim().length > longestHeading) return undefined;
    return size >= usual * 1.45 ? 'h2' : 'h3';
  };
}
