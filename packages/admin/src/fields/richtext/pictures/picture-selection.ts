import { type EditorState, NodeSelection } from '@tiptap/pm/state';
import { pictureOf } from './figure-picture.ts';

/** The picture that is selected, or whose caption the cursor is in. */
export type SelectedPicture = Readonly<
  | { kind: 'image'; at: number; alt: string }
  /** `at`: of the picture; `figure`: of the figure. `isOne`: it holds no other. */
  | { kind: 'figure'; at: number; figure: number; alt: string; width: FigureWidth; isOne: boolean }
>;

/** How wide a figure is: a class of it. `text`: as wide as the text, without a class. */
export const figureWidths = ['small', 'text', 'wide', 'full'] as const;
export type FigureWidth = (typeof figureWidths)[number];

const isWidth = (name: string): boolean => figureWidths.some((width) => name === `width-${width}`);

const classesOf = (value: unknown): readonly string[] =>
  String(value ?? '')
    .split(/\s+/)
    .filter((name) => name !== '');

export const widthOf = (classes: unknown): FigureWidth =>
  figureWidths.find((width) => classesOf(classes).includes(`width-${width}`)) ?? 'text';

/** The classes of a figure with another width. */
export function classesWith(classes: unknown, width: FigureWidth): string {
  const others = classesOf(classes).filter((name) => !isWidth(name));
  return (width === 'text' ? others : [...others, `width-${width}`]).join(' ');
}

export function selectedPicture({ doc, selection }: EditorState): SelectedPicture | undefined {
  const { $from } = selection;
  const node = selection instanceof NodeSelection ? selection.node : undefined;
  if (node?.type.name === 'image') return { kind: 'image', at: selection.from, alt: String(node.attrs.alt ?? '') };
  const figure =
    node?.type.name === 'figure' ? selection.from : places($from).find((at) => doc.nodeAt(at)?.type.name === 'figure');
  const found = figure === undefined ? null : doc.nodeAt(figure);
  if (figure === undefined || found === null) return undefined;
  const at = node?.type.name === 'figurePicture' ? selection.from : figure + 1;
  const picture = doc.nodeAt(at);
  if (picture?.type.name !== 'figurePicture') return undefined;
  const width = widthOf(found.attrs.attributes?.class);
  return { kind: 'figure', at, figure, alt: pictureOf(picture).alt ?? '', width, isOne: found.childCount === 2 };
}

/** The places of what is around a position, from the inside. */
const places = ($at: EditorState['selection']['$from']): readonly number[] =>
  Array.from({ length: $at.depth }, (_, index) => $at.before($at.depth - index));
