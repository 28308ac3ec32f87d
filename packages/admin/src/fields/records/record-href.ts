import { href } from '../../app/navigation.svelte.ts';
import type { TargetType } from './target-type.ts';

/** The address of a record's form; undefined: it has none, or the account may not see it. */
export const recordHref = ({ type, plural }: TargetType, id: string): string | undefined =>
  type === undefined ? undefined : href(`/content/${plural}/${encodeURIComponent(id)}`);
