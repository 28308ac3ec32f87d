import { countOf } from '../base/count-of.ts';
import type { Settings } from '../config/settings.ts';
import type { ContentType } from '../definition/content-type.ts';

/** `3 content types in content-types, 1 created through the API`. */
export function typesText({ contentTypesDir }: Settings, types: readonly ContentType[]): string {
  const stored = types.filter((type) => type.stored).length;
  const inFiles = `${countOf(types.length - stored, 'content type')} in ${contentTypesDir}`;
  return stored === 0 ? inFiles : `${inFiles}, ${stored} created through the API`;
}
