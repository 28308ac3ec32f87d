import type { MaybePromise } from '../../base/maybe-promise.ts';

/** What a GET would answer, without its body but with its length (RFC 9110, section 9.3.2). */
export async function headOnly(answer: MaybePromise<Response>): Promise<Response> {
  const response = await answer;
  if (response.body === null) return response;
  const head = new Response(null, response);
  if (!response.headers.has('content-length')) {
    head.headers.set('Content-Length', String((await response.bytes()).length));
  }
  return head;
}
