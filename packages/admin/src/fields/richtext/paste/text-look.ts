import type { Styles } from './pasted-styles.ts';

/** How a piece of text looks. */
export interface Look {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly script: 'sub' | 'sup' | undefined;
  readonly code: boolean;
  /** Line breaks of the source are shown. */
  readonly keepsLines: boolean;
}

export const plainLook: Look = {
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  script: undefined,
  code: false,
  keepsLines: false,
};

/** What an element says by its name. Its styles may say the opposite: Google Docs wraps all that is copied in a `b` that is not bold. */
const byName: Readonly<Record<string, Partial<Look>>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  u: { underline: true },
  s: { strike: true },
  strike: { strike: true },
  del: { strike: true },
  sub: { script: 'sub' },
  sup: { script: 'sup' },
  code: { code: true },
  tt: { code: true },
  pre: { keepsLines: true },
};

function weight(styles: Styles): boolean | undefined {
  const text = styles.get('font-weight') ?? /(?:^|\s)(bold|[6-9]00)(?=\s)/.exec(styles.get('font') ?? '')?.[1];
  if (text === undefined || text === 'inherit') return undefined;
  return /^bold/i.test(text) || Number(text) >= 600;
}

function slant(styles: Styles): boolean | undefined {
  const text = styles.get('font-style') ?? /(?:^|\s)(italic|oblique)(?=\s)/.exec(styles.get('font') ?? '')?.[1];
  return text === undefined || text === 'inherit' ? undefined : /italic|oblique/i.test(text);
}

function script(styles: Styles): Partial<Look> {
  const text = styles.get('vertical-align');
  if (text === 'super') return { script: 'sup' };
  if (text === 'sub') return { script: 'sub' };
  return text === 'baseline' ? { script: undefined } : {};
}

/** How text in an element looks, inside of what looks like `outer`. */
export function lookIn(element: Element, styles: Styles, outer: Look): Look {
  const named = byName[element.localName] ?? {};
  const decoration = styles.get('text-decoration-line') ?? styles.get('text-decoration');
  const lines =
    decoration === undefined
      ? { underline: named.underline ?? false, strike: named.strike ?? false }
      : { underline: /underline/i.test(decoration), strike: /line-through/i.test(decoration) };
  const space = styles.get('white-space');
  return {
    ...outer,
    ...named,
    bold: weight(styles) ?? named.bold ?? outer.bold,
    italic: slant(styles) ?? named.italic ?? outer.italic,
    // An inner element cannot take away the line of an outer one.
    underline: outer.underline || lines.underline,
    strike: outer.strike || lines.strike,
    ...script(styles),
    ...(space === undefined ? {} : { keepsLines: /^(?:pre|pre-wrap|pre-line|break-spaces)$/.test(space) }),
  };
}
