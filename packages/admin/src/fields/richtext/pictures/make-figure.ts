import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import type { FileValue } from '../../media/file-value.ts';
import type { PictureAttributes } from './figure-picture.ts';
import { classesWith, type FigureWidth } from './picture-selection.ts';

/**
 * Makes a figure of the picture at a place. The text around the picture stays before it. The cursor goes into the caption, or with a width,
 * the picture stays selected.
 */
export function makeFigure(editor: Editor, at: number, width?: FigureWidth): void {
  const { tr, doc, schema } = editor.state;
  const image = doc.nodeAt(at);
  const { figure, figurePicture, figcaption } = schema.nodes;
  if (image === null || figure === undefined || figurePicture === undefined || figcaption === undefined) return;
  const picture = written(image.attrs);
  const link = image.marks.find(({ type }) => type.name === 'link');
  const name = width === undefined ? '' : classesWith('', width);
  const made = figure.create({ attributes: name === '' ? {} : { class: name } }, [
    figurePicture.create({ picture, link: link === undefined ? null : written(link.attrs) }),
    figcaption.create(),
  ]);
  const $at = doc.resolve(at);
  const isAlone = $at.parent.childCount === 1 && canReplace($at, made);
  const place = isAlone ? $at.before() : $at.after() - image.nodeSize;
  if (isAlone) tr.replaceWith(place, $at.after(), made);
  else tr.delete(at, at + image.nodeSize).insert(place, made);
  tr.setSelection(
    width === undefined
      ? TextSelection.create(tr.doc, place + made.nodeSize - 2)
      : NodeSelection.create(tr.doc, place + 1),
  );
  editor.view.dispatch(tr.scrollIntoView());
  if (width === undefined) editor.view.focus();
}

/** An item of a list begins with a paragraph, which stays there. */
function canReplace($at: ReturnType<Editor['state']['doc']['resolve']>, made: Editor['state']['doc']): boolean {
  const around = $at.node(-1);
  const index = $at.index(-1);
  return around.canReplaceWith(index, index + 1, made.type);
}

/** Attributes as they are written: none that is absent. */
const written = (attrs: Readonly<Record<string, unknown>>): PictureAttributes =>
  Object.fromEntries(
    Object.entries(attrs)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

/** Sets the class that is the width of the figure at a place. */
export function setFigureWidth(editor: Editor, figure: number, width: FigureWidth): void {
  const { class: classes, ...others } = editor.state.doc.nodeAt(figure)?.attrs.attributes ?? {};
  const name = classesWith(classes, width);
  const attributes = name === '' ? others : { ...others, class: name };
  editor.view.dispatch(editor.state.tr.setNodeAttribute(figure, 'attributes', attributes));
}

/** The figure of several files of the library; undefined: none of them is a picture that can be shown. */
export function galleryOf(files: readonly FileValue[]): Readonly<Record<string, unknown>> | undefined {
  const pictures = files.flatMap(({ variants, url, alt, width, height }) => {
    const src = variants?.preview ?? url;
    return src === null
      ? []
      : [{ type: 'figurePicture', attrs: { picture: written({ src, alt: alt ?? '', width, height }) } }];
  });
  if (pictures.length === 0) return undefined;
  const attributes = pictures.length > 1 ? { class: 'gallery' } : {};
  return { type: 'figure', attrs: { attributes }, content: [...pictures, { type: 'figcaption' }] };
}
