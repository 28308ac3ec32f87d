/** The elements that sanitised rich text keeps. The text of all others stays, but that of `droppedWithText`. */
export const allowedElements: readonly string[] = [
  ...['address', 'article', 'aside', 'blockquote', 'br', 'details', 'div', 'dd', 'dl', 'dt', 'figcaption', 'figure'],
  ...['footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'ol', 'p', 'pre', 'section', 'summary', 'ul'],
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q'],
  ...['rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr'],
  ...['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ...['audio', 'iframe', 'img', 'picture', 'source', 'track', 'video'],
];

/** Elements whose content is no text for readers, or which browsers parse by other rules. */
export const droppedWithText: readonly string[] = [
  ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'xmp', 'plaintext', 'title', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'object', 'embed', 'applet', 'head'],
];

/** Attributes beside `class`, `dir`, `id`, `lang`, `title` and `style`, which every element may have. */
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

/** Of a `style`, these properties stay, with these values. */
export const allowedStyles: Readonly<Record<string, readonly RegExp[]>> = {
  'text-align': [/^(?:left|right|center|justify|start|end)$/],
};

/** How an address may begin; a relative one may stand everywhere but in an `iframe`. */
export const allowedSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel'];

/** The players and maps that an `iframe` may show. */
export const embedHosts: readonly string[] = [
  ...['www.youtube.com', 'youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com', 'www.dailymotion.com'],
  ...['open.spotify.com', 'w.soundcloud.com', 'bandcamp.com', 'embed.podcasts.apple.com', 'embed.ted.com'],
  ...['www.openstreetmap.org', 'codepen.io', 'www.slideshare.net', 'speakerdeck.com'],
];
