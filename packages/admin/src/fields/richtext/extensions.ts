import { Extension, type Extensions, Mark, mergeAttributes, Node } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { Placeholder } from '@tiptap/extensions';
import { StarterKit } from '@tiptap/starter-kit';
import { FootnoteBack, FootnoteMark } from './footnotes/footnote-nodes.ts';
import { isAllowedAddress } from './html/allowed-html.ts';
import { keptAttributes } from './html/clean-html.ts';
import { unguardedHtml } from './html/guarded-html.ts';
import { inertHtml } from './html/inert-html.ts';
import { opaqueView } from './opaque-view.ts';
import { Caption, Figure, FigurePicture } from './pictures/figure.ts';
import { imageView } from './pictures/image-view.ts';

const blocks = [
  'paragraph',
  'heading',
  'blockquote',
  'bulletList',
  'orderedList',
  'listItem',
  'table',
  'horizontalRule',
];
const textMarks = ['bold', 'italic', 'underline', 'strike', 'code'];
const cells = ['tableRow', 'tableCell', 'tableHeader'];

const own = (name: string) => ({
  default: null,
  parseHTML: (element: HTMLElement) => keptAttributes(element)[name] ?? null,
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === null || attributes[name] === undefined ? {} : { [name]: attributes[name] },
});

/** The attributes that the service keeps on every element. */
const SharedAttributes = Extension.create({
  name: 'sharedAttributes',
  addGlobalAttributes() {
    const shared = { class: own('class'), dir: own('dir'), id: own('id'), lang: own('lang'), title: own('title') };
    const aligned = { style: own('style') };
    return [
      { types: [...blocks, ...cells], attributes: { ...shared, ...aligned } },
      { types: ['codeBlock', ...textMarks], attributes: shared },
      { types: ['strike'], attributes: { cite: own('cite'), datetime: own('datetime') } },
      {
        types: ['image'],
        attributes: {
          ...{ class: shared.class, dir: shared.dir, id: shared.id, lang: shared.lang },
          ...{ srcset: own('srcset'), sizes: own('sizes'), loading: own('loading'), decoding: own('decoding') },
        },
      },
      {
        types: ['tableCell', 'tableHeader'],
        attributes: { headers: own('headers'), scope: own('scope'), abbr: own('abbr') },
      },
      { types: ['listItem'], attributes: { value: own('value') } },
      { types: ['orderedList'], attributes: { reversed: own('reversed') } },
      { types: ['blockquote'], attributes: { cite: own('cite') } },
      {
        types: ['link'],
        attributes: {
          ...shared,
          hreflang: own('hreflang'),
          download: own('download'),
          'data-record': own('data-record'),
        },
      },
    ];
  },
});

const inlineElements = [
  ...[
    'abbr',
    'bdi',
    'bdo',
    'cite',
    'data',
    'dfn',
    'ins',
    'kbd',
    'mark',
    'q',
    'samp',
    'small',
    'sub',
    'sup',
    'time',
    'var',
  ],
  'span',
  'a:not([href])',
];

/** Elements within a line that have no button: they stay, with their attributes, around what is written in them. */
const InlineElement = Mark.create({
  name: 'inlineElement',
  // One inside the other.
  excludes: '',
  priority: 40,
  addAttributes: () => ({
    element: { default: 'span', rendered: false },
    attributes: { default: {}, rendered: false },
  }),
  parseHTML: () =>
    inlineElements.map((tag) => ({
      tag,
      getAttrs: (element) => {
        const attributes = keptAttributes(element);
        const { localName } = element;
        // Without attributes they say nothing.
        const isPlain = (localName === 'span' || localName === 'a') && Object.keys(attributes).length === 0;
        return isPlain ? false : { element: localName, attributes };
      },
    })),
  renderHTML: ({ mark }) => [String(mark.attrs.element), { ...mark.attrs.attributes }, 0],
});

/** Elements without text that mark a place, such as where a list of posts cuts one (`<span id="more-12"></span>`), or that draw an icon. */
const EmptyElement = Node.create({
  name: 'emptyElement',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({
    element: { default: 'span', rendered: false },
    attributes: { default: {}, rendered: false },
  }),
  parseHTML: () =>
    ['span', 'a', 'i', 'em', 'b', 'strong'].map((tag) => ({
      tag: `${tag}:empty`,
      // Before the marks of the same elements.
      priority: 100,
      getAttrs: (element) => {
        const attributes = keptAttributes(element);
        return Object.keys(attributes).length === 0 || 'href' in attributes ? false : { element: tag, attributes };
      },
    })),
  renderHTML: ({ node }) => [String(node.attrs.element), { ...node.attrs.attributes }],
  addNodeView: () => () => {
    const dom = document.createElement('span');
    dom.className = 'empty-element';
    return { dom };
  },
});

/** Elements that are kept as they are, and edited as source. */
const opaqueElements = [
  ...[
    'address',
    'article',
    'aside',
    'details',
    'dl',
    'figure',
    'footer',
    'header',
    'section',
    'audio',
    'iframe',
    'picture',
  ],
  'video',
];

const Opaque = Node.create({
  name: 'opaque',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ html: { default: '', rendered: false } }),
  parseHTML: () =>
    opaqueElements.map((tag) => ({ tag, getAttrs: (element) => ({ html: unguardedHtml(element.outerHTML) }) })),
  renderHTML: ({ node }) => ({ dom: inertHtml(String(node.attrs.html)).firstElementChild ?? inertHtml('<p></p>') }),
  renderText: ({ node }) => inertHtml(String(node.attrs.html)).textContent ?? '',
  addNodeView: () => opaqueView,
});

/** A division, such as a column: what is inside it is edited as everywhere. */
const Division = Node.create({
  name: 'division',
  group: 'block',
  content: 'block+',
  addAttributes: () => ({ attributes: { default: {}, rendered: false } }),
  parseHTML: () => [
    {
      tag: 'div',
      getAttrs: (element) => ({ attributes: keptAttributes(element) }),
    },
  ],
  renderHTML: ({ node }) => ['div', { ...node.attrs.attributes }, 0],
});

/** Without the widths that TipTap writes as inline styles. */
const PlainTable = Table.extend({
  renderHTML: ({ HTMLAttributes }) => ['table', mergeAttributes(HTMLAttributes), ['tbody', 0]],
});

/** What a text can hold: the elements that the service keeps. */
export const richtextExtensions = (placeholder: string | undefined): Extensions => [
  StarterKit.configure({
    // A paragraph at the end that nobody typed would be a change.
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: true,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: (address) => isAllowedAddress(address),
    },
  }),
  Image.extend({ addNodeView: () => imageView }).configure({ inline: true, allowBase64: false }),
  PlainTable.configure({ resizable: false }),
  TableRow,
  TableHeader,
  TableCell,
  SharedAttributes,
  InlineElement,
  EmptyElement,
  Division,
  Figure,
  FigurePicture,
  Caption,
  FootnoteMark,
  FootnoteBack,
  Opaque,
  ...(placeholder === undefined ? [] : [Placeholder.configure({ placeholder })]),
];
