import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { tagOf } from '../../api/tag-of.ts';

/** A type with the tag of its definition, so that nobody's change is overwritten. */
export interface TaggedType {
  readonly type: ContentTypeInfo;
  readonly tag: string | undefined;
}

export async function readTagged(response: Response): Promise<TaggedType> {
  return { type: await response.json(), tag: tagOf(response) ?? undefined };
}
