import { session } from '../../app/session.svelte.ts';
import type { MediaFile } from './media-file.ts';

/** The address of a file for players and new windows, which send no token: that of a private file is signed. */
export async function playableAddress({ id, url, visibility }: MediaFile): Promise<string> {
  if (visibility === 'public') return url;
  const body = { seconds: 3600 };
  const signed = await session.client.request<{ readonly url: string }>('POST', `/media/${id}/sign`, { body });
  return signed.url;
}
