/**
 * Characters that are not rendered, or that change the direction of the text around them: texts that differ only in these look the
 * same. They are Unicode's default-ignorable code points (joiners, variation selectors, fillers, tags), the direction controls,
 * and a few that neither property covers: the braille blank, annotation anchors, a filler and an empty musical note head.
 * Control characters are not included: they are an error everywhere, and are never dropped silently. As a part of a character class.
 */
export const invisibleSet = String.raw`\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb\u{16fe4}\u{1d159}`;

const invisible = new RegExp(`[${invisibleSet}]`, 'u');
const everyInvisible = new RegExp(invisible, 'gu');

export const hasInvisible = (text: string): boolean => invisible.test(text);

export const withoutInvisible = (text: string): string => text.replace(everyInvisible, '');
