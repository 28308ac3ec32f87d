import { DOMSerializer, type Schema } from '@tiptap/pm/model';
import { cleanHtml } from '../html/clean-html.ts';
import { inertHtml } from '../html/inert-html.ts';
import type { HeldPictures } from './held-pictures.ts';
import { pastedHtml } from './pasted-html.ts';
import { randomId } from './random-id.ts';

/** Marks what this editor has copied. */
const ownMark = 'data-copied-from';

/** HTML as the editor takes it, and what of it could not be read. */
export interface ReadPaste {
  readonly html: string;
  readonly lostPictures: number;
}

/**
 * Reads HTML from the clipboard. What this editor has copied keeps its attributes; of any other program, only what is meant stays. `held` gets the pictures whose
 * bytes came with it.
 */
export function readPaste(html: string, newId: () => string = randomId, held?: HeldPictures): ReadPaste {
  const root = inertHtml(html);
  const own = root.querySelector(`[${ownMark}]`);
  if (own === null) {
    const { body, lostPictures } = pastedHtml(root, newId);
    held?.take(body);
    return { html: body.innerHTML, lostPictures };
  }
  const slice = own.getAttribute('data-pm-slice');
  cleanHtml(root);
  if (slice !== null) own.setAttribute('data-pm-slice', slice);
  return { html: root.innerHTML, lostPictures: 0 };
}

/** Writes what is copied, with a mark by which this editor knows it again. */
class CopySerializer extends DOMSerializer {
  override serializeFragment(...args: Parameters<DOMSerializer['serializeFragment']>): HTMLElement | DocumentFragment {
    const made = super.serializeFragment(...args);
    made.firstElementChild?.setAttribute(ownMark, 'recto');
    return made;
  }
}

export function copySerializer(schema: Schema): DOMSerializer {
  const { nodes, marks } = DOMSerializer.fromSchema(schema);
  return new CopySerializer(nodes, marks);
}
