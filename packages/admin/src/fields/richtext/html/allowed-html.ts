/*
 * What the service keeps of rich text, for what is pasted into the editor. `allowed-html.test.ts` compares it with the
 * service's own lists.
 */

/** The elements that stay. The text of all others stays, but that of `droppedWithText`. */
export const allowedElements: readonly string[] = [
  ...['address', 'article', 'aside', 'blockquote', 'br', 'details', 'div', 'dd', 'dl', 'dt', 'figcaption', 'figure'],
  ...['footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'ol', 'p', 'pre', 'section', 'summary', 'ul'],
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q'],
  ...['rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr'],
  ...['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ...['audio', 'iframe', 'img', 'picture', 'source', 'track', 'video'],
];

/** Elements whose content is no text for readers. */
export const droppedWithText: readonly string[] = [
  ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'xmp', 'plaintext', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'object', 'embed', 'applet', 'head'],
];

/** Attributes that every element may have. */
export const globalAttributes: readonly string[] = ['class', 'dir', 'id', 'lang', 'title', 'style'];

/** Further attributes, by element. */
export const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'hreflang', 'rel', 'target', 'download', 'data-record'],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  blockquote: ['cite'],
  col: ['span'],
  colgroup: ['span'],
  data: ['value'],
  del: ['cite', 'datetime'],
  details: ['open'],
  iframe: ['src', 'width', 'height', 'allowfullscreen', 'loading'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
  ins: ['cite', 'datetime'],
  li: ['value'],
  ol: ['start', 'reversed', 'type'],
  q: ['cite'],
  source: ['src', 'srcset', 'sizes', 'type', 'media', 'width', 'height'],
  td: ['colspan', 'rowspan', 'headers'],
  th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr'],
  time: ['datetime'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  video: ['src', 'poster', 'controls', 'loop', 'muted', 'preload', 'playsinline', 'width', 'height'],
};

/** What `data-record` of a link may be: the plural of a content type, and the id of a record. */
export const recordReference = /^[a-z][a-z0-9_-]{0,63}\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** How an address may begin. */
export const allowedSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel'];

/** The players and maps that an `iframe` may show. */
export const embedHosts: readonly string[] = [
  ...['www.youtube.com', 'youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com', 'www.dailymotion.com'],
  ...['open.spotify.com', 'w.soundcloud.com', 'bandcamp.com', 'embed.podcasts.apple.com', 'embed.ted.com'],
  ...['www.openstreetmap.org', 'codepen.io', 'www.slideshare.net', 'speakerdeck.com'],
];

/** Attributes that hold an address. */
const addressAttributes: ReadonlySet<string> = new Set(['href', 'src', 'cite', 'poster']);

/** Whether an attribute of an element stays. */
export function isAllowedAttribute(element: string, name: string, value: string): boolean {
  if (name === 'style') return /^\s*text-align:\s*(?:left|right|center|justify|start|end);?\s*$/.test(value);
  if (name === 'id') return /^[A-Za-z][\w:.]*-[\w:.-]*$/.test(value);
  if (!globalAttributes.includes(name) && !allowedAttributes[element]?.includes(name)) return false;
  if (name === 'data-record') return recordReference.test(value);
  return !addressAttributes.has(name) || isAllowedAddress(value);
}

/** Whether an address is relative, or of a scheme that can do no harm. */
export function isAllowedAddress(address: string): boolean {
  // Browsers leave these characters out before they look for the scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(/[\u0000-\u0020]/g, ''))?.[1];
  return scheme === undefined || allowedSchemes.includes(scheme.toLowerCase());
}

/** Whether an `iframe` may show this address. */
export function isEmbed(address: string): boolean {
  if (!/^(?:https:)?\/\//i.test(address)) return false;
  const url = URL.parse(address, 'https://localhost');
  return url !== null && url.protocol === 'https:' && url.port === '' && embedHosts.includes(url.hostname);
}
