import type { App } from '../http/app.ts';

/** The app for open connections while the service stops: each response closes its connection (RFC 9112, section 9.6). */
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
