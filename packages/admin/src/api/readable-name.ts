/** Abbreviations that are written in capitals wherever a name has them. */
const capitals: ReadonlySet<string> = new Set(
  'api css csv dns faq gps html http https iban id ip isbn issn json pdf rss seo sku sms url utc uuid vat vip xml'.split(
    ' ',
  ),
);

/** A name of a definition as people write it: `reading_minutes` as "Reading minutes", `author_id` as "Author", `seo` as "SEO". */
export function readableName(name: string): string {
  const words = name
    .replace(/[-_]id$/, '')
    .split(/[-_]+/)
    .filter(Boolean);
  const text = words.map((word) => (capitals.has(word) ? word.toUpperCase() : word)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * An option or a status as people write it: `in_review` as "In review". What is no name stays as it is written: "A4", "Not yet", and codes
 * such as `de`.
 */
export const readableValue = (value: string): string =>
  /^[a-z][a-z0-9]{2,}(?:[-_][a-z0-9]+)*$|^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+$/.test(value) ? readableName(value) : value;
