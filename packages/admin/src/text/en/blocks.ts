import { english } from '../english.ts';

/** English texts of lists of blocks. Loaded with them. */
export const blocks = english('blocks', {
  copyNamed: 'Copy {name}',
  copy: 'Copy',
  search: 'Search blocks',
  copyAll: 'Copy all',
  paste: 'Paste blocks',
  copied: { one: 'The block is copied.', other: '{count} blocks are copied.' },
  notCopied: 'The browser does not let this page copy.',
  pasted: { one: 'One block was pasted.', other: '{count} blocks were pasted.' },
  pasteKey:
    'Select the head of a block and press the keys for pasting: the browser does not let this page read the clipboard.',
  none: 'The clipboard has no blocks.',
  unknown: 'Nothing was pasted: “{field}” has no block “{name}”.',
  unknownField: 'Nothing was pasted: the block “{block}” has no field “{name}” here.',
  otherValue: 'Nothing was pasted: the field “{name}” of the block “{block}” has another kind of value here.',
  tooMany: {
    one: 'Nothing was pasted: there can be one block at most.',
    other: 'Nothing was pasted: there can be {count} blocks at most.',
  },
} as const);
