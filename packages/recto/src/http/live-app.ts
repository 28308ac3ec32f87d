import type { LiveParts } from '../content-types/live-parts.ts';
import type { App } from './app.ts';

/**
 * The app of the content types of the moment: they are looked at where a request enters, and what runs finishes on those
 * it began with.
 */
export const liveApp = (serving: Pick<LiveParts<{ readonly app: App }>, 'now'>): App => ({
  fetch(request, peerAddress) {
    const parts = serving.now();
    if (!(parts instanceof Promise)) return parts.app.fetch(request, peerAddress);
    return parts.then(({ app }) => app.fetch(request, peerAddress));
  },
});
