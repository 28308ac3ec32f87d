import { openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import type { Caller, Role } from '../base/caller.ts';
import { Problem } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { syncSchema } from '../migrations/sync-schema.ts';
import type { Answer } from './answers/answer.ts';
import { AnswerCache } from './answers/answer-cache.ts';
import { CursorSealer } from './answers/cursor-sealer.ts';
import { Records } from './records.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape, and a wrong path fails the test.
type Json = any;

type Body = Readonly<Record<string, unknown>>;

export { anonymous } from '../base/caller.ts';
export const account = (id: string, role: Role = 'member'): Caller => ({ kind: 'account', id, role, session: 's' });
export const admin = account('00000000-0000-7000-8000-000000000001', 'admin');

/** Records of some definitions on a database of their own, without accounts and HTTP. */
export class TestRecords implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly types: ContentTypes;
  readonly records: Records;

  static async open(...definitions: readonly unknown[]): Promise<TestRecords> {
    return TestRecords.of(definitionsOf(...definitions));
  }

  static async of(types: ContentTypes): Promise<TestRecords> {
    const database = await openTestDatabase();
    await syncSchema(database, types);
    return new TestRecords(database, types);
  }

  private constructor(database: TestDatabase, types: ContentTypes) {
    this.database = database;
    this.types = types;
    const answers = new AnswerCache(database.generations, { maxBytes: 1_000_000, ttlSeconds: 30 });
    const limits = { pageSize: 20, maxPageSize: 100 };
    this.records = new Records({
      database,
      types,
      answers,
      limits,
      cursors: new CursorSealer('a secret of the tests'),
    });
  }

  /** A new record as its caller gets it: an admin by the admin routes, others by the public endpoint. */
  async create(type: string, payload: Body, caller = admin): Promise<Json> {
    const { answer } = await this.records.create({ ...this.#request(type, caller), payload });
    return recordIn(answer);
  }

  async update(type: string, id: string, payload: Body, caller = admin, ifMatch: string | null = null): Promise<Json> {
    const request = { ...this.#request(type, caller), id, payload, ifMatch };
    return recordIn(await this.records.update(request));
  }

  delete(type: string, id: string, caller = admin, ifMatch: string | null = null): Promise<void> {
    return this.records.delete({ ...this.#request(type, caller), id, ifMatch });
  }

  async get(type: string, id: string, caller = admin, search = ''): Promise<Json> {
    const view = caller === admin ? 'admin' : 'get';
    const answer = await this.records.get({ type: this.type(type), view, caller, id, search });
    return recordIn(answer);
  }

  async list(type: string, search = '', caller = admin): Promise<Json> {
    const view = caller === admin ? 'admin' : 'list';
    return recordIn(await this.records.list(this.type(type), view, caller, search));
  }

  type(name: string): ContentType {
    return this.types.get(name);
  }

  #request(type: string, caller: Caller) {
    return { type: this.type(type), admin: caller === admin, caller, search: '' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close();
  }
}

/** What an answer holds, which is bytes where it is remembered. */
function recordIn({ body }: Answer): Json {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

/** What a request was rejected with: its status, code, and the code of each field's error. */
export async function refusal(request: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, errors } = error;
    return errors === undefined ? [status, code] : [status, ...errors.map((each) => `${each.field} ${each.code}`)];
  }
  throw new Error('Nothing was rejected.');
}
