/**
 * Sends a request whose body is a file, and says how much of it has been sent, which `fetch` does not. For the `fetch` of a request:
 * `client.request('POST', path, { body: file, fetch: sendFile(file, onProgress) })`.
 */
export const sendFile =
  (file: Blob, onProgress: (sent: number) => void) =>
  (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.open(request.method, request.url);
      for (const [name, value] of request.headers) sending.setRequestHeader(name, value);
      sending.responseType = 'blob';
      sending.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
      sending.onload = () => resolve(responseOf(sending));
      sending.onerror = () => reject(new TypeError('The connection broke.'));
      sending.onabort = () => reject(request.signal.reason);
      request.signal.addEventListener('abort', () => sending.abort());
      onProgress(0);
      sending.send(file);
    });

function responseOf(sent: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of sent
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const [name = '', ...value] = line.split(': ');
    if (name !== '') headers.append(name, value.join(': '));
  }
  // With these, there is no body.
  const isEmpty = [204, 205, 304].includes(sent.status);
  return new Response(isEmpty ? null : sent.response, { status: sent.status, headers });
}
