import { guardedStyle } from '../html/guarded-html.ts';

/** Declarations by property, such as `font-weight` → `700`. */
export type Styles = ReadonlyMap<string, string>;

const noStyles: Styles = new Map();

/** Reads declarations: `font-weight:700; color:red`. Names are in lower case. */
export function readDeclarations(text: string): Styles {
  const found = new Map<string, string>();
  for (const part of text.split(';')) {
    const colon = part.indexOf(':');
    if (colon < 1) continue;
    const name = part.slice(0, colon).trim().toLowerCase();
    found.set(
      name,
      part
        .slice(colon + 1)
        .replace(/\s*!important\s*$/i, '')
        .trim(),
    );
  }
  return found;
}

/** Rules by the selector that they are for: `p`, `.a` or `p.a`. Word processors write no others for text. */
function readRules(sheet: string, rules: Map<string, Styles>): void {
  const css = sheet.replace(/\/\*[\s\S]*?\*\//g, '').replace(/<!--|-->/g, '');
  for (const block of css.split('}')) {
    const brace = block.indexOf('{');
    if (brace < 0) continue;
    const declarations = readDeclarations(block.slice(brace + 1));
    for (const selector of block.slice(0, brace).split(',')) {
      const name = selector.trim().toLowerCase();
      if (!/^[a-z][a-z0-9]*$|^[a-z0-9]*\.[\w-]+$/.test(name)) continue;
      rules.set(name, new Map([...(rules.get(name) ?? noStyles), ...declarations]));
    }
  }
}

/** The text of a style sheet, which is a template while it is guarded. Word writes it as a comment. */
function sheetText(sheet: Element): string {
  const nodes = sheet instanceof HTMLTemplateElement ? sheet.content.childNodes : sheet.childNodes;
  return [...nodes].map(({ nodeValue }) => nodeValue ?? '').join('');
}

/** How the elements of pasted HTML look: by their own `style`, and by the style sheets that were pasted with them. */
export class PastedStyles {
  readonly #rules = new Map<string, Styles>();

  constructor(root: Element) {
    for (const sheet of root.querySelectorAll('style, template')) readRules(sheetText(sheet), this.#rules);
  }

  of(element: Element): Styles {
    const own = element.getAttribute(guardedStyle) ?? element.getAttribute('style');
    if (this.#rules.size === 0) return own === null ? noStyles : readDeclarations(own);
    const name = element.localName;
    const classes = [...element.classList].map((one) => one.toLowerCase());
    const selectors = [name, ...classes.flatMap((one) => [`.${one}`, `${name}.${one}`])];
    const found = new Map<string, string>();
    const add = (styles: Styles): void => styles.forEach((value, property) => void found.set(property, value));
    for (const selector of selectors) add(this.#rules.get(selector) ?? noStyles);
    if (own !== null) add(readDeclarations(own));
    return found;
  }
}
