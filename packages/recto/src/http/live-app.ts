import type { LiveParts } from '../content-types/live-parts.ts';
import type { App } from './app.ts';

/**
 * The app of the current content types: they are read when a request enters, and running requests finish on those
 * they began with.
 */
export const liveApp = (serving: Pick<LiveParts<{ readonly app: App }>, 'now'>): App => ({
  fetch(request, peerAddress) {
    const parts = serving.now();
    if (!(parts instanceof Promise)) return parts.app.fetch(request, peerAddress);
    return parts.then(({ app }) => app.fetch(request, peerAddress));
  },
});
