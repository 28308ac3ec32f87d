import type { ContentType } from '../../definition/content-type.ts';

/** The name whose generation goes up when what is kept beside a type's content changes, such as a draft. */
export const annotationsOf = ({ singular }: ContentType): string => `recto:annotations:${singular}`;
