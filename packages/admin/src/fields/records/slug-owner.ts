import { session } from '../../app/session.svelte.ts';
import type { FormType } from '../field.ts';

/** The id of the record that has this slug, undefined where none that editors see has it. */
export async function slugOwner(
  { plural }: FormType,
  field: string,
  slug: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = { [field]: slug };
  const asked = { query, page_size: 1, skip_total: true, signal };
  const { items } = await session.client.admin.collection(plural).list(asked);
  const [first] = items;
  return first === undefined ? undefined : String(first.id);
}
