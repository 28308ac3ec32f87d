import { afterAll, beforeAll } from 'bun:test';
import { magazine } from '../../../../test/support/magazine.ts';
import { TestService } from '../../../../test/support/service.ts';
import { createAdminClient } from '../create-admin-client.ts';
import { RectoError } from '../index.ts';

export const url = 'http://recto.test/';
export const credentials = { email: 'ada@example.com', password: 'correct horse' };

/** Opens a service for the tests of a file, with an admin, `ada`, and a writer, `wim`; and what clients of it share. */
export function serviceOfFile() {
  let service: TestService;
  beforeAll(async () => {
    const order = {
      singular: 'order',
      plural: 'orders',
      api_restful: false,
      fields: [{ name: 'code', field_type: 'text' }],
    };
    const writer = {
      name: 'writer',
      types: {
        article: {
          ...{ list: true, get: true, create: true, update: 'created_by = @request.auth.id' },
          ...{ read: { except: ['featured'] }, write: { only: ['title'] } },
        },
      },
    };
    service = await TestService.open([...(await magazine()), order], { builtIn: true, roles: [writer] });
    await service.account('ada', 'admin');
    await service.account('wim', 'writer');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const through = (request: Request): Promise<Response> => Promise.resolve(service.app.fetch(request));

  /** A client that is signed in as an admin. */
  async function admin(fetch = through) {
    const recto = createAdminClient({ url, fetch });
    await recto.auth.login(credentials);
    return recto;
  }

  /** What the calls of a test send, and how each is answered: by the service, unless `answer` does. */
  function watched(
    answer: (request: Request, count: number) => Response | Promise<Response> | undefined = () => undefined,
  ) {
    const sent: Pick<Request, 'url' | 'method' | 'headers'>[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      sent.push({ url: request.url, method: request.method, headers: request.headers });
      return (await answer(request, sent.length)) ?? (await through(request));
    };
    return { sent, fetch };
  }

  return { service: { idOf: (name: string) => service.idOf(name) }, through, admin, watched };
}

/** The error that a call fails with. */
export const failure = async (promise: Promise<unknown>): Promise<RectoError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RectoError)) throw new Error(`This is no RectoError: ${error}`);
  return error;
};
