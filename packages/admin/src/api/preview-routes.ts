import { session } from '../app/session.svelte.ts';
import type { NumberedPage } from './admin-routes.ts';

export interface MadePreview {
  readonly url: string;
  readonly token: string;
  readonly expires_at: string;
}

export interface PreviewLink {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** What a preview shows. */
export interface AskedPreview {
  /** The singular of the type. */
  readonly type: string;
  readonly id: string;
  readonly language?: string | undefined;
  readonly release?: string | undefined;
  /** A time to come. */
  readonly at?: string | undefined;
}

const links = '/admin/preview-links';
const sent = ({ type, id, language, release, at }: AskedPreview) => ({
  ...{ type, id },
  ...(language === undefined ? {} : { language }),
  ...(release === undefined ? {} : { release }),
  ...(at === undefined ? {} : { at }),
});

export const previewRoutes = {
  make: (asked: AskedPreview, signal?: AbortSignal) =>
    session.client.request<MadePreview>('POST', '/admin/preview', { body: sent(asked), signal }),
  share: (asked: AskedPreview, label: string, seconds: number) =>
    session.client.request<MadePreview>('POST', '/admin/preview', {
      body: { ...sent(asked), share: true, label, seconds },
    }),
  links: (type: string, id: string, signal?: AbortSignal) =>
    session.client.request<NumberedPage<PreviewLink>>('GET', links, { query: { type, id, page_size: 100 }, signal }),
  end: (id: string) => session.client.request<void>('DELETE', `${links}/${id}`),
};
