/** The named character references that WordPress stores; it writes all others as numbers (`ent2ncr`). */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  shy: '\u00ad',
};

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;

/** Text with its character references resolved (HTML, section 13.5); anything else stays as it is. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : whole;
  });
}

/** Elements that begin on a line of their own. */
const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);
const hidden: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript']);

/**
 * HTML as plain text: tags and comments removed, blocks on lines of their own, the address
 * of a link after its text in brackets, character references resolved. Trimmed; at most one blank line in a row.
 */
export function plainText(html: string): string {
  const text = html.includes('<') ? withoutTags(html) : html;
  return withoutBlankLines(decodeReferences(text.replace(/\r\n?/g, '\n'))).trim();
}

/** The lines without those that are blank, of which one is left between two others. */
function withoutBlankLines(text: string): string {
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const last = kept.at(-1) ?? '';
    if (line.trim() !== '') kept.push(line);
    else if (last !== '') kept.splice(-1, 1, last.trimEnd(), '');
  }
  return kept.join('\n');
}

/** Like `plainText`, on one line. */
export const plainLine = (html: string): string => plainText(html).replace(/\s+/g, ' ').trim();

function withoutTags(html: string): string {
  const text = new GrowingText();
  let hiddenDepth = 0;
  let lastLink = 0;
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(element) {
        const { tagName } = element;
        if (tagName === 'br') text.add('\n');
        else if (blocks.has(tagName)) text.newLine();
        const address = tagName === 'a' ? element.getAttribute('href') : null;
        const begun = text.pieces;
        if (hidden.has(tagName)) hiddenDepth += 1;
        else if (address === null && !blocks.has(tagName)) return;
        if (!element.canHaveContent) return;
        element.onEndTag(() => {
          if (hidden.has(tagName)) hiddenDepth -= 1;
          else if (blocks.has(tagName)) text.newLine();
          else {
            // A link has no others in it; where one has, its text is what follows them.
            text.add(bracketed(address ?? '', text.from(Math.max(begun, lastLink))));
            lastLink = text.pieces;
          }
        });
      },
    })
    .onDocument({
      text(piece) {
        if (hiddenDepth === 0) text.add(piece.text);
      },
    });
  rewriter.transform(html);
  return text.from(0);
}

/** In pieces: to look at the end of a long text after each addition would cost all of it each time. */
class GrowingText {
  readonly #pieces: string[] = [];

  get pieces(): number {
    return this.#pieces.length;
  }

  add(piece: string): void {
    if (piece !== '') this.#pieces.push(piece);
  }

  newLine(): void {
    if (this.#pieces.at(-1)?.endsWith('\n') === false) this.#pieces.push('\n');
  }

  /** The text from a piece on. */
  from(piece: number): string {
    return this.#pieces.slice(piece).join('');
  }
}

/** The address of a link, unless its text already shows it. */
function bracketed(address: string, text: string): string {
  const isWeb = /^https?:\/\//i.test(address);
  return isWeb && !text.includes(address) ? ` (${address})` : '';
}

/** A text of at most so many characters (code points); a longer one is cut, and ends in `…`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const points = [...text.slice(0, most * 2 + 2)];
  return points.length <= most
    ? text
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
