import type { NodeViewRenderer } from '@tiptap/core';
import { t } from '../../../text/text.ts';

export const imageView: NodeViewRenderer = ({ node }) => ({
  dom: pictureElement(String(node.attrs.src ?? ''), String(node.attrs.alt ?? '')),
});

/** Pictures of this service are shown. The page may load none from elsewhere: of those, it shows the address. */
export function pictureElement(source: string, alt: string): HTMLElement {
  const url = URL.parse(source, location.href);
  if (url !== null && (url.origin === location.origin || url.protocol === 'blob:')) {
    const dom = document.createElement('img');
    dom.src = source;
    dom.alt = alt;
    return dom;
  }
  const dom = document.createElement('span');
  dom.className = 'far-image';
  dom.dir = 'auto';
  dom.textContent =
    alt === '' ? t('fields.farImageWithoutAlt', { address: source }) : t('fields.farImage', { alt, address: source });
  return dom;
}
