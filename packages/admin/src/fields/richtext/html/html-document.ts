import { type Extensions, getSchema } from '@tiptap/core';
import { DOMParser, DOMSerializer, type Node, type Schema } from '@tiptap/pm/model';
import { emptyCaption } from '../pictures/figure-picture.ts';
import { unguardedHtml } from './guarded-html.ts';
import { inertDocument, inertHtml } from './inert-html.ts';
import { lostParts } from './lost-parts.ts';

/** The document that HTML means in a schema. */
export const documentOf = (schema: Schema, html: string): Node =>
  DOMParser.fromSchema(schema).parse(inertHtml(html), { preserveWhitespace: false });

function serialized(document: Node): HTMLElement {
  const inert = inertDocument();
  const { body } = inert;
  body.append(DOMSerializer.fromSchema(document.type.schema).serializeFragment(document.content, { document: inert }));
  for (const caption of body.querySelectorAll(`figcaption[${emptyCaption}]`)) caption.remove();
  return body;
}

const isEmptyDocument = (document: Node): boolean =>
  document.childCount === 0 ||
  (document.childCount === 1 &&
    document.firstChild?.type.name === 'paragraph' &&
    document.firstChild.content.size === 0);

/**
 * The HTML of a document; null where nothing is in it. Made in a document that is never shown. Pictures that are being uploaded are not
 * part of it yet.
 */
export function htmlOf(document: Node): string | null {
  if (isEmptyDocument(document)) return null;
  const body = serialized(document);
  for (const picture of body.querySelectorAll('img[src^="blob:"]')) {
    const figure = picture.closest('figure');
    if (figure?.querySelectorAll('img').length === 1) figure.remove();
    else picture.remove();
  }
  return unguardedHtml(body.innerHTML);
}

/** What of a text the visual editor would lose. */
export const lostIn = (schema: Schema, html: string): readonly string[] =>
  lostParts(inertHtml(html), serialized(documentOf(schema, html)));

export const schemaOf = (extensions: Extensions): Schema => getSchema(extensions);

/** A document with nothing in it. From anything but JSON, TipTap makes HTML, which Trusted Types forbid. */
export const emptyDocument = { type: 'doc', content: [{ type: 'paragraph' }] };
