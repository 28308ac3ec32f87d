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
const blankLines = /[^\S\n]*\n(?:[^\S\n]*\n)+/g;

/**
 * HTML as plain text: tags and comments removed, blocks on lines of their own, the address
 * of a link after its text in brackets, character references resolved. Trimmed; at most one blank line in a row.
 */
export function plainText(html: string): string {
  const text = html.includes('<') ? withoutTags(html) : html;
  return decodeReferences(text.replace(/\r\n?/g, '\n')).replace(blankLines, '\n\n').trim();
}

/** Like `plainText`, on one line. */
export const plainLine = (html: string): string => plainText(html).replace(/\s+/g, ' ').trim();

function withoutTags(html: string): string {
  let text = '';
  let hiddenDepth = 0;
  const newLine = (): void => {
    if (text !== '' && !text.endsWith('\n')) text += '\n';
  };
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(element) {
        const { tagName } = element;
        if (tagName === 'br') text += '\n';
        else if (blocks.has(tagName)) newLine();
        const address = tagName === 'a' ? element.getAttribute('href') : null;
        const begun = text.length;
        if (hidden.has(tagName)) hiddenDepth += 1;
        else if (address === null && !blocks.has(tagName)) return;
        if (!element.canHaveContent) return;
        element.onEndTag(() => {
          if (hidden.has(tagName)) hiddenDepth -= 1;
          else if (blocks.has(tagName)) newLine();
          else text += bracketed(address ?? '', text.slice(begun));
        });
      },
    })
    .onDocument({
      text(piece) {
        if (hiddenDepth === 0) text += piece.text;
      },
    });
  rewriter.transform(html);
  return text;
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
