import { Node } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { t } from '../../../text/text.ts';
import { keptAttributes } from '../html/clean-html.ts';
import { emptyCaption, linkOf, pictureOf } from './figure-picture.ts';
import { pictureElement } from './image-view.ts';

const isPicture = (element: Element): boolean =>
  (element.localName === 'img' && Boolean(element.getAttribute('src'))) ||
  (element.localName === 'a' && element.hasAttribute('href') && holdsPicture(element));

const holdsPicture = (link: Element): boolean =>
  link.childNodes.length === 1 && Boolean(link.querySelector(':scope > img')?.getAttribute('src'));

const isCaption = (element: Element): boolean =>
  element.localName === 'figcaption' &&
  element.childNodes.length > 0 &&
  element.querySelector('img, p, div, ul, ol, dl, table, pre, blockquote, figure, iframe, audio, video') === null;

/** Whether a figure holds pictures and, at its end, at most one caption. Others are kept as they are. */
function isOfPictures(element: Element): boolean {
  const parts = [...element.childNodes].filter((node) => node.nodeType !== 3 || (node.textContent ?? '').trim() !== '');
  const elements = parts.filter((node): node is Element => node instanceof Element);
  const last = elements.at(-1);
  const pictures = last?.localName === 'figcaption' ? elements.slice(0, -1) : elements;
  return (
    elements.length === parts.length &&
    pictures.length > 0 &&
    pictures.every(isPicture) &&
    (pictures === elements || (last !== undefined && isCaption(last)))
  );
}

const attributes = (name: string) => ({ [name]: { default: {}, rendered: false } });

/** One or more pictures, as a block, and a caption, which is written below them. */
export const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'figurePicture+ figcaption',
  draggable: true,
  isolating: true,
  defining: true,
  // Its keys come before those of every text.
  priority: 1_000,
  addAttributes: () => attributes('attributes'),
  parseHTML: () => [
    {
      tag: 'figure',
      priority: 70,
      getAttrs: (element) => (isOfPictures(element) ? { attributes: keptAttributes(element) } : false),
    },
  ],
  renderHTML: ({ node }) => ['figure', { ...node.attrs.attributes }, 0],
  addKeyboardShortcuts() {
    return {
      /** A caption is one line: what follows stands below the figure. */
      Enter({ editor }) {
        const { selection } = editor.state;
        const { $from } = selection;
        if ($from.parent.type.name === 'figure') {
          return editor.commands.setTextSelection($from.end() - 1);
        }
        if ($from.parent.type.name !== 'figcaption') return false;
        const behind = $from.after(-1);
        const chain = editor.chain().insertContentAt(behind, { type: 'paragraph' });
        return chain
          .setTextSelection(behind + 1)
          .scrollIntoView()
          .run();
      },
      /** At the beginning of a caption: the picture before it is selected, and not joined with it. */
      Backspace({ editor }) {
        const { $from, empty } = editor.state.selection;
        if (!empty || $from.parent.type.name !== 'figcaption' || $from.parentOffset > 0) return false;
        return editor.commands.setNodeSelection($from.before() - 1);
      },
    };
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      // A figure has at least one picture: where the last is removed, one without an address comes in its place, and the figure goes.
      appendTransaction(transactions, _, { doc, tr }) {
        if (!transactions.some(({ docChanged }) => docChanged)) return null;
        doc.descendants((node, at) => {
          if (node.type.name === 'figure') {
            const isEmpty = node.children.every(
              (child) => child.type.name !== 'figurePicture' || !pictureOf(child).src,
            );
            if (isEmpty) tr.delete(tr.mapping.map(at), tr.mapping.map(at + node.nodeSize));
            return !isEmpty;
          }
          if (node.type.name === 'figurePicture' && !pictureOf(node).src)
            tr.delete(tr.mapping.map(at), tr.mapping.map(at + 1));
          return !node.isTextblock;
        });
        return tr.docChanged ? tr : null;
      },
    }),
  ],
});

/** A picture of a figure, perhaps in a link. */
export const FigurePicture = Node.create({
  name: 'figurePicture',
  atom: true,
  draggable: false,
  addAttributes: () => ({ ...attributes('picture'), link: { default: null, rendered: false } }),
  parseHTML: () => [
    {
      tag: 'img',
      context: 'figure/',
      priority: 110,
      getAttrs: (element) => ({ picture: keptAttributes(element), link: null }),
    },
    {
      tag: 'a[href]',
      context: 'figure/',
      priority: 110,
      getAttrs(element) {
        const picture = element.firstElementChild;
        return picture === null || !holdsPicture(element)
          ? false
          : { picture: keptAttributes(picture), link: keptAttributes(element) };
      },
    },
  ],
  renderHTML({ node }) {
    const link = linkOf(node);
    return link === undefined ? ['img', pictureOf(node)] : ['a', link, ['img', pictureOf(node)]];
  },
  addNodeView: () => (props) => {
    const dom = document.createElement('div');
    dom.className = 'figure-picture';
    let shown = props.node;
    const show = (): void => {
      const { src = '', alt = '' } = pictureOf(shown);
      dom.replaceChildren(pictureElement(src, alt));
    };
    show();
    return {
      dom,
      update(next) {
        if (next.type !== shown.type) return false;
        const isSame = pictureOf(next).src === pictureOf(shown).src && pictureOf(next).alt === pictureOf(shown).alt;
        shown = next;
        if (!isSame) show();
        return true;
      },
    };
  },
});

/** The words below the pictures of a figure. */
export const Caption = Node.create({
  name: 'figcaption',
  content: 'inline*',
  selectable: false,
  isolating: true,
  defining: true,
  addAttributes: () => attributes('attributes'),
  parseHTML: () => [
    {
      tag: 'figcaption',
      context: 'figure/',
      priority: 110,
      getAttrs: (element) => ({ attributes: keptAttributes(element) }),
    },
  ],
  renderHTML: ({ node }) => [
    'figcaption',
    node.content.size === 0 ? { [emptyCaption]: '' } : { ...node.attrs.attributes },
    0,
  ],
  addNodeView: () => () => {
    const dom = document.createElement('figcaption');
    dom.dataset.placeholder = t('fields.caption');
    return { dom, contentDOM: dom };
  },
});
