import { english } from '../english.ts';

/** English texts of the preview beside a form. */
export const preview = english('preview', {
  width: 'Width of the page',
  allWidth: 'All of the room',
  tablet: 'Tablet',
  phone: 'Phone',
  release: 'Release',
  noRelease: 'Without a release',
  loading: 'Preparing the preview…',
  refused: 'Your role does not make previews of this record.',
  failed: 'The preview cannot be prepared at the moment. Close it and open it again.',
  share: 'Share',
  shareTitle: 'Share the preview',
  shareLead: 'With the link, people without an account see this record, with its draft, and nothing else.',
  label: 'Who it is for',
  labelHelp: 'Only you and admins read this.',
  labelMissing: 'Say who the link is for: you find it by that.',
  time: 'Works for',
  days: { one: '{count} day', other: '{count} days' },
  make: 'Make a link',
  link: 'Link',
  links: 'Links that work',
  until: 'until {time}',
  end: 'End',
  endLink: 'End the link “{label}”',
  ended: 'The link “{label}” has ended.',
});
