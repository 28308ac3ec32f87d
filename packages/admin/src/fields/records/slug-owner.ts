import { adminPath } from '../../api/admin-path.ts';
import { session } from '../../app/session.svelte.ts';
import type { FormType } from '../field.ts';

interface Found {
  readonly items: readonly { readonly id: string }[];
}

/** The id of the record that has this slug, undefined where none that editors see has it. */
export async function slugOwner(
  { plural }: FormType,
  field: string,
  slug: string,
  { language, signal }: { readonly language: string | undefined; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const query = { [field]: slug, language, page_size: 1, skip_total: true };
  const { items } = await session.inBackground(() =>
    session.client.request<Found>('GET', adminPath({ plural }), { query, signal, background: true }),
  );
  return items[0]?.id;
}
