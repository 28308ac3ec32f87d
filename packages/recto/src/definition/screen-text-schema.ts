import Type from 'typebox';

/** Of labels, which had no limit before there could be several. */
export const longestText = 1_000_000;

/** A text for screens where people edit: one for all, or one for each language (`{ en = "Summary", de = "Vorspann" }`). */
export type ScreenText = string | Readonly<Record<string, string>>;

/** The schema of a text for people's screens. */
export const screenText = (description: string, maxLength = 1000) =>
  Type.Unsafe<string | Record<string, string>>({
    ...{ description, type: ['string', 'object'], maxLength },
    additionalProperties: { type: 'string', maxLength },
  });

/** The schema of texts by the value that they stand for. */
export const valueLabels = () => Type.Record(Type.String(), screenText('What people read for the value.'));
