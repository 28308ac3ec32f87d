import { Node } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { t } from '../../../text/text.ts';
import { keptAttributes } from '../html/clean-html.ts';
import { currentNote, footnoteKey, goToMark, goToNote } from './footnote-commands.ts';
import { footnoteOrder } from './footnote-order.ts';
import { noteOfBack, noteOfMark } from './footnotes-of.ts';

const attributes = { default: {}, rendered: false };

/** The number of a footnote in the text, which leads to its note. */
export const FootnoteMark = Node.create({
  name: 'footnoteMark',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: false,
  // Its keys come before those of lists.
  priority: 1_001,
  addAttributes: () => ({ attributes, number: { default: '', rendered: false } }),
  parseHTML: () => [
    {
      tag: 'a[href^="#fn-"]',
      priority: 120,
      getAttrs(element) {
        const number = element.firstElementChild;
        const isMark =
          number?.localName === 'sup' &&
          element.childNodes.length === 1 &&
          number.attributes.length === 0 &&
          /^\d{1,4}$/.test(number.innerHTML);
        return isMark ? { attributes: keptAttributes(element), number: number.textContent } : false;
      },
    },
  ],
  renderHTML: ({ node }) => ['a', { ...node.attrs.attributes }, ['sup', String(node.attrs.number)]],
  renderText: ({ node }) => String(node.attrs.number),
  addNodeView: () => (props) => {
    const dom = document.createElement('sup');
    dom.className = 'footnote-mark';
    const show = (number: string): void => {
      dom.textContent = number;
      dom.title = t('fields.footnoteMark', { number });
    };
    show(String(props.node.attrs.number));
    return {
      dom,
      update(next) {
        if (next.type !== props.node.type) return false;
        show(String(next.attrs.number));
        return true;
      },
    };
  },
  addKeyboardShortcuts() {
    return {
      'Mod-Alt-f': ({ editor }) => footnoteKey(editor),
      // A second item would have the name of the first.
      Enter: ({ editor }) => currentNote(editor) !== undefined && editor.commands.splitBlock(),
    };
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      footnoteOrder(),
      new Plugin({
        props: {
          handleClickOn(_view, _at, node, _nodeAt, event) {
            if (event.button !== 0 || event.shiftKey) return false;
            if (node.type.name === 'footnoteMark') return goToNote(editor, noteOfMark(node));
            return node.type.name === 'footnoteBack' && goToMark(editor, noteOfBack(node));
          },
        },
      }),
    ];
  },
});

/** Leads from a note back to its mark. */
export const FootnoteBack = Node.create({
  name: 'footnoteBack',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({ attributes }),
  parseHTML: () => [
    {
      tag: 'a[href^="#fnref-"]',
      priority: 120,
      getAttrs: (element) => (element.innerHTML === '↩' ? { attributes: keptAttributes(element) } : false),
    },
  ],
  renderHTML: ({ node }) => ['a', { ...node.attrs.attributes }, '↩'],
  addNodeView: () => () => {
    const dom = document.createElement('span');
    dom.className = 'footnote-back';
    dom.textContent = '↩';
    dom.title = t('fields.footnoteBack');
    return { dom };
  },
});
