import type { Extensions } from '@tiptap/core';
import { MarkdownManager } from '@tiptap/markdown';
import { Fragment, type Schema, Slice } from '@tiptap/pm/model';

let known: MarkdownManager | undefined;

function managerOf(extensions: Extensions): MarkdownManager {
  if (known !== undefined) return known;
  known = new MarkdownManager({ extensions: [...extensions] });
  // HTML in Markdown is the text that it is.
  known.instance.use({ tokenizer: { html: () => undefined, tag: () => undefined } });
  return known;
}

/** The part of a document that Markdown means. Every editor has the same extensions, but for its placeholder. */
export function readMarkdown(schema: Schema, extensions: Extensions, text: string): Slice {
  const { content = [] } = managerOf(extensions).parse(text.replace(/\r\n?/g, '\n'));
  const blocks = content.map((block) => schema.nodeFromJSON(block));
  for (const block of blocks) block.check();
  return Slice.maxOpen(Fragment.from(blocks), false);
}
