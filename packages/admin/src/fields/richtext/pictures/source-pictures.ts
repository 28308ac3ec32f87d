import { htmlLanguage } from '@codemirror/lang-html';
import { markdownLanguage } from '@codemirror/lang-markdown';
import { htmlText } from '../../../api/html-text.ts';

type Tree = ReturnType<typeof htmlLanguage.parser.parse>;
type SyntaxNode = Tree['topNode'];

/** A change of a text: what stands from one place to another becomes something else. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A picture in the source of a text. */
export interface SourcePicture {
  /** Its address, as a browser reads it. */
  readonly source: string;
  readonly alt: string;
  /** The changes by which another address stands there. Other sizes of the picture go. */
  readonly become: (address: string) => readonly TextChange[];
}

export type SourceLanguage = 'html' | 'markdown';

/** The pictures in the source of a text, in its order. */
export function sourcePictures(text: string, language: SourceLanguage): readonly SourcePicture[] {
  if (language === 'html') return picturesOfTags(tagsOf(text, 0));
  const tree = markdownLanguage.parser.parse(text);
  const tags = nodesOf(tree, ['HTMLBlock', 'HTMLTag']).flatMap(({ from, to }) => tagsOf(text.slice(from, to), from));
  return [...markdownPictures(text, tree), ...picturesOfTags(tags)];
}

function nodesOf(tree: Tree, names: readonly string[]): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  tree.iterate({ enter: ({ name, node }) => void (names.includes(name) && found.push(node)) });
  return found;
}

interface Attribute {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  /** With its quotes. */
  readonly valueFrom: number;
  readonly valueTo: number;
}

interface Tag {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** The tags of HTML that begins at a place of the text. Spaces before one belong to it. */
function tagsOf(html: string, offset: number): readonly Tag[] {
  const spacesBefore = (at: number): number => html.slice(0, at).search(/\s*$/);
  const tree = htmlLanguage.parser.parse(html);
  return nodesOf(tree, ['OpenTag', 'SelfClosingTag', 'CloseTag']).map((node): Tag => {
    const named = node.getChild('TagName');
    const attributes = node.getChildren('Attribute').map((attribute): readonly [string, Attribute] => {
      const name = attribute.getChild('AttributeName');
      const value = attribute.getChild('AttributeValue') ?? attribute.getChild('UnquotedAttributeValue');
      const written = value === null ? '' : html.slice(value.from, value.to).replace(/^(["'])(.*)\1$/s, '$2');
      return [
        name === null ? '' : html.slice(name.from, name.to).toLowerCase(),
        {
          from: spacesBefore(attribute.from) + offset,
          to: attribute.to + offset,
          value: htmlText(written),
          valueFrom: (value?.from ?? attribute.to) + offset,
          valueTo: (value?.to ?? attribute.to) + offset,
        },
      ];
    });
    return {
      from: spacesBefore(node.from) + offset,
      to: node.to + offset,
      name: named === null ? '' : html.slice(named.from, named.to).toLowerCase(),
      isEnd: node.name === 'CloseTag',
      attributes: new Map(attributes),
    };
  });
}

function picturesOfTags(tags: readonly Tag[]): readonly SourcePicture[] {
  let others: Tag[] = [];
  return tags.flatMap((tag): readonly SourcePicture[] => {
    if (tag.name === 'picture') others = [];
    else if (tag.name === 'source') others.push(tag);
    const src = tag.attributes.get('src');
    if (tag.name !== 'img' || src === undefined) return [];
    const sizes = others;
    others = [];
    return [
      { source: src.value, alt: tag.attributes.get('alt')?.value ?? '', become: pictureChanges(tag, src, sizes) },
    ];
  });
}

const pictureChanges =
  (tag: Tag, src: Attribute, others: readonly Tag[]) =>
  (address: string): readonly TextChange[] => {
    const gone = [...others, tag.attributes.get('srcset'), tag.attributes.get('sizes')].filter(
      (one) => one !== undefined,
    );
    const value = `"${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
    return [
      { from: src.valueFrom, to: src.valueTo, insert: value },
      ...gone.map(({ from, to }) => ({ from, to, insert: '' })),
    ];
  };

function markdownPictures(text: string, tree: Tree): readonly SourcePicture[] {
  const written = (node: SyntaxNode | null): string => (node === null ? '' : text.slice(node.from, node.to));
  const labelOf = (label: string): string =>
    label
      .replace(/^\[|\]$/g, '')
      .trim()
      .replace(/\s+/g, ' ')
      .toLowerCase();
  const pictures = nodesOf(tree, ['Image']).map((image) => {
    const end = image.getChildren('LinkMark')[1]?.from ?? image.to;
    const alt = text.slice(image.from + 2, end).replaceAll(/\\([\\[\]])/g, '$1');
    return {
      alt,
      url: image.getChild('URL'),
      label: labelOf(written(image.getChild('LinkLabel')).replace(/^\[\]$/, '') || alt),
    };
  });
  const addresses = new Map(
    nodesOf(tree, ['LinkReference'])
      .toReversed()
      .map((reference) => [labelOf(written(reference.getChild('LinkLabel'))), reference.getChild('URL')] as const),
  );
  return pictures.flatMap(({ alt, url, label }): readonly SourcePicture[] => {
    const place = url ?? addresses.get(label) ?? null;
    if (place === null) return [];
    const source = htmlText(written(place).replace(/^<(.*)>$/s, '$1')).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
    const become = (address: string) => [{ from: place.from, to: place.to, insert: address }];
    return [{ source, alt, become }];
  });
}
