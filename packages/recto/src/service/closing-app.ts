import type { App } from '../http/app.ts';

/** The app for connections that are still there while the service stops: each is told to end with its next answer (RFC 9112, section 9.6). */
export function closingApp(app: App): App {
  const close = (response: Response): Response => {
    response.headers.set('Connection', 'close');
    return response;
  };
  return {
    fetch(request, peerAddress) {
      const answer = app.fetch(request, peerAddress);
      return answer instanceof Promise ? answer.then(close) : close(answer);
    },
  };
}
