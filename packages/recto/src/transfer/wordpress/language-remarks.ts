import type { OtherLanguages } from './import-context.ts';
import type { Alone } from './staged-languages.ts';

interface AloneEntry {
  /** As the file names it. */
  readonly language: string | null;
  readonly alone: Alone | null;
}

/** Why an entry is left out for its language; undefined: it is not. */
export const leftOutFor = ({ alone, language }: AloneEntry, others: OtherLanguages): string | undefined =>
  alone === 'other_language' && others === 'leave_out'
    ? `in “${language}”, which is no language of this service`
    : undefined;

/** What a report says of a translation that is a record of its own; undefined where it is none. */
export function aloneRemark({ alone, language }: AloneEntry): string | undefined {
  switch (alone) {
    case 'other_language':
      return `in “${language}”, which is no language of this service: records of their own`;
    case 'not_localized':
      return `translations, of which a record holds none here because its text is not localized: records of their own`;
    case 'differs':
      return `translations with another status, time or file than what they translate, or a second one in a language: records of their own`;
    case null:
      return undefined;
  }
}

/** A translation that is part of a record. */
export const joinedRemark = (tag: string): string =>
  `translations into “${tag}”: in one record with what they translate`;

/** A text that no translation into the default language exists of. */
export const standsInRemark = (tag: string, main: string): string =>
  `in “${tag}” and not in “${main}”, the default language: what they say stands in both`;
