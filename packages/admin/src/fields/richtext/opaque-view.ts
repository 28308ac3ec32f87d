import type { NodeViewRenderer } from '@tiptap/core';
import { t } from '../../text/text.ts';
import { inertHtml } from './html/inert-html.ts';

/** How an element that is kept as it is looks in the editor: its kind and words. Its source is changed in the source view. */
export const opaqueView: NodeViewRenderer = ({ node }) => {
  const dom = document.createElement('div');
  dom.className = 'opaque';
  const element = inertHtml(String(node.attrs.html)).firstElementChild;
  const kind = document.createElement('span');
  kind.className = 'opaque-kind';
  kind.textContent = t('fields.keptElement', { name: element?.localName ?? 'html' });
  const words = document.createElement('span');
  words.dir = 'auto';
  const address = element?.getAttribute('src') ?? element?.querySelector('[src]')?.getAttribute('src') ?? '';
  words.textContent = (element?.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 200) || address;
  dom.append(kind, ' ', words);
  return { dom };
};
