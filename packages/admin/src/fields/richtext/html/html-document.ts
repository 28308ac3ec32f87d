import { type Extensions, getSchema } from '@tiptap/core';
import { DOMParser, DOMSerializer, Fragment, type Node, type Schema } from '@tiptap/pm/model';
import { emptyCaption } from '../pictures/figure-picture.ts';
import { unguardedHtml } from './guarded-html.ts';
import { inertDocument, inertHtml } from './inert-html.ts';
import { lostParts } from './lost-parts.ts';

/** The document that HTML means in a schema. */
export const documentOf = (schema: Schema, html: string): Node =>
  DOMParser.fromSchema(schema).parse(inertHtml(html), { preserveWhitespace: false });

function serialized(schema: Schema, content: Fragment): HTMLElement {
  const inert = inertDocument();
  const { body } = inert;
  body.append(DOMSerializer.fromSchema(schema).serializeFragment(content, { document: inert }));
  for (const caption of body.querySelectorAll(`figcaption[${emptyCaption}]`)) caption.remove();
  return body;
}

const isEmptyDocument = (document: Node): boolean =>
  document.childCount === 0 ||
  (document.childCount === 1 &&
    document.firstChild?.type.name === 'paragraph' &&
    document.firstChild.content.size === 0);

/** The HTML of blocks. A document after a key has all blocks of the one before but one. */
const written = new WeakMap<Node, string>();

function blockHtml(block: Node): string {
  const known = written.get(block);
  if (known !== undefined) return known;
  const body = serialized(block.type.schema, Fragment.from(block));
  for (const picture of body.querySelectorAll('img[src^="blob:"]')) {
    const figure = picture.closest('figure');
    if (figure?.querySelectorAll('img').length === 1) figure.remove();
    else picture.remove();
  }
  const html = unguardedHtml(body.innerHTML);
  written.set(block, html);
  return html;
}

/**
 * The HTML of a document; null where nothing is in it. Made in a document that is never shown, of those blocks that it was not made of before.
 * Pictures that are being uploaded are not part of it yet.
 */
export const htmlOf = (document: Node): string | null =>
  isEmptyDocument(document) ? null : document.children.map(blockHtml).join('');

/** What of a text the visual editor would lose. */
export const lostIn = (schema: Schema, html: string): readonly string[] =>
  lostParts(inertHtml(html), serialized(schema, documentOf(schema, html).content));

export const schemaOf = (extensions: Extensions): Schema => getSchema(extensions);

/** A document with nothing in it. From anything but JSON, TipTap makes HTML, which Trusted Types forbid. */
export const emptyDocument = { type: 'doc', content: [{ type: 'paragraph' }] };
