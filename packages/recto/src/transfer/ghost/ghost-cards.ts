import type { Table } from '../../values/json-table.ts';
import { escaped } from '../importers/lexical-html.ts';
import { textOf } from './ghost-tables.ts';

/** The HTML of a card of Ghost's editors; undefined: it has none, or is not for readers of the site. */
export function ghostCard(node: Table): string | undefined {
  const caption = textOf(node.caption);
  switch (textOf(node.type)) {
    case 'image':
      return figure(image(node), caption);
    case 'gallery':
      return figure(
        (Array.isArray(node.images) ? node.images : []).map((each) => image(Object(each))).join(''),
        caption,
      );
    case 'html':
      // One that is shown to some readers alone is left out, as it is in what Ghost has made itself.
      return isForEveryone(node) ? textOf(node.html) : undefined;
    case 'markdown':
    case 'card-markdown':
      return Bun.markdown.html(textOf(node.markdown));
    case 'codeblock':
    case 'code':
      return `<pre><code>${escaped(textOf(node.code))}</code></pre>`;
    case 'hr':
      return '<hr>';
    case 'embed':
      return figure(textOf(node.html) || anchor(textOf(node.url), textOf(node.url)), caption);
    case 'bookmark':
      return bookmark(node);
    case 'callout':
      return `<blockquote>${textOf(node.calloutText)}</blockquote>`;
    case 'toggle':
      return `<details><summary>${textOf(node.heading)}</summary>${textOf(node.content)}</details>`;
    case 'button':
      return `<p>${anchor(textOf(node.buttonUrl), textOf(node.buttonText))}</p>`;
    case 'video':
      return figure(`<video src="${escaped(textOf(node.src))}" controls></video>`, caption);
    case 'audio':
      return `<audio src="${escaped(textOf(node.src))}" controls></audio>`;
    case 'file':
      return `<p>${anchor(textOf(node.src), textOf(node.fileTitle) || textOf(node.fileName))}</p>`;
    default:
      return undefined;
  }
}

function isForEveryone({ visibility }: Table): boolean {
  const web: unknown = Reflect.get(Object(visibility), 'web');
  return web === undefined || Reflect.get(Object(web), 'nonMember') === true;
}

const image = ({ src, alt }: Table): string => `<img src="${escaped(textOf(src))}" alt="${escaped(textOf(alt))}">`;

/** Captions are HTML. */
const figure = (inner: string, caption: string): string =>
  `<figure>${inner}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;

const anchor = (address: string, text: string): string => `<a href="${escaped(address)}">${escaped(text)}</a>`;

function bookmark({ url, metadata, caption }: Table): string {
  const title = textOf(Reflect.get(Object(metadata), 'title')) || textOf(url);
  return figure(anchor(textOf(url), title), textOf(caption));
}
