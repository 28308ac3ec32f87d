import type { RequestContext } from '../../http/operation.ts';
import type { Reply } from '../../http/responses/reply.ts';
import type { Records } from '../../records/records.ts';
import type { PreparedWrite } from '../../records/write/prepared-write.ts';

/** Runs a prepared write in its transaction and responds with what it returned. */
export const respondToWrite = <T>(
  context: RequestContext,
  records: Records,
  write: PreparedWrite<T>,
  reply: (result: T) => Reply,
): Promise<Response> =>
  context.respondInTransaction((run) => records.runInTransaction({ ...write, run }), write.run, reply);
