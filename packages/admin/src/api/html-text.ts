/** Marks an end of a paragraph, a heading and the like. */
const blockEnd = /<\/(?:p|h[1-6]|li|blockquote|pre|div|tr|figcaption)>|<(?:br|hr)\s*\/?>/gi;

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

/** The text of HTML, for reading and comparing. It is never put into a page as HTML. */
export const htmlText = (html: string): string =>
  html
    .replaceAll(blockEnd, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities.get(name.toLowerCase()) ?? all;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
    })
    .trim();
