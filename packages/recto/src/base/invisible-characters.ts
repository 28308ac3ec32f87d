/**
 * Characters that show nothing, or that change the direction of what stands around them: two texts that differ in them alone look the
 * same to a person. Unicode's default-ignorable code points (joiners, variation selectors, fillers, tags), the controls of direction,
 * and a few that neither property names: the blank of braille, the anchors of annotations, a filler and a musical head without ink.
 * Control characters are not among them: those are refused everywhere, and not dropped.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb\u{16fe4}\u{1d159}]/u;
const everyInvisible = new RegExp(invisible, 'gu');

export const hasInvisible = (text: string): boolean => invisible.test(text);

export const withoutInvisible = (text: string): string => text.replace(everyInvisible, '');
