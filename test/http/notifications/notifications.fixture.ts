import { expect } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, type ServiceOptions, TestService } from '../../support/service.ts';

export const root = '/api/v1/auth/me/notifications';

const title = { name: 'title', field_type: 'text' };
const secret = { name: 'secret', field_type: 'text', private: true };
const definitions = [
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      'assignable',
      'ownable',
      'soft_deletable',
      {
        name: 'statusable',
        values: ['draft', 'review', 'legal', 'published', 'archived'],
        transitions: {
          draft: ['review'],
          review: [{ to: 'legal', roles: ['chief'] }, 'draft'],
          legal: [{ to: 'published', roles: ['lawyer'] }, 'draft'],
          published: ['archived'],
        },
      },
    ],
    fields: [title, secret],
  },
  { singular: 'memo', plural: 'memos', protocols: ['assignable', 'tenantable'], fields: [title] },
  { singular: 'plain', plural: 'plains', protocols: ['ownable', 'statusable'], fields: [title] },
];

const whole = { create: true, get: true, list: true, update: true, publish: true };
const fields = { only: ['title', 'status', 'assignee', 'created_by'] };
const roles = [
  { name: 'chief', types: { story: { ...whole, read: fields } } },
  { name: 'lawyer', types: { story: { ...whole, read: fields } } },
  { name: 'writer', types: { story: { ...whole, read: { only: ['title', 'created_by'] } } } },
  { name: 'reader', types: { story: { ...whole, read: { only: ['title', 'status', 'created_by'] } } } },
  { name: 'knower', types: { story: { ...whole, get: 'secret = "x"', read: fields } } },
  { name: 'own', types: { story: { ...whole, get: 'assignee = @request.auth.id', read: fields } } },
];

/** A service whose people work on stories, and what they do. */
export class NewsRoom implements AsyncDisposable {
  readonly service: TestService;
  readonly #clock: { ahead: number };

  static async open(options: ServiceOptions = {}): Promise<NewsRoom> {
    const clock = { ahead: 0 };
    const now = () => Date.now() + clock.ahead;
    const service = await TestService.open(definitions, { roles, now, ...options });
    await service.runJobs();
    for (const [name, role] of [
      ['ada', 'admin'],
      ['eve', 'editor'],
      ['ed', 'editor'],
      ['cleo', 'chief'],
      ['lou', 'lawyer'],
      ['olga', 'own'],
      ['nell', 'writer'],
      ['noor', 'reader'],
      ['quinn', 'knower'],
      ['mia', 'member'],
    ] as const)
      await service.account(name, role);
    return new NewsRoom(service, clock);
  }

  private constructor(service: TestService, clock: { ahead: number }) {
    this.service = service;
    this.#clock = clock;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.service[Symbol.asyncDispose]();
  }

  id(name: string): string {
    return this.service.idOf(name);
  }

  async send(line: string, as: string, body?: object, status?: number): Promise<Reply['json']> {
    const reply = await this.service.send(line, { as, ...(body && { body }) });
    if (status === undefined) expect(reply.status, reply.text).toBeLessThan(300);
    else expect(reply.status, reply.text).toBe(status);
    return reply.json;
  }

  async create(as: string, body: object = {}, plural = 'stories'): Promise<string> {
    return (await this.send(`POST /api/v1/admin/cms/${plural}`, as, { title: 'A story', ...body })).id;
  }

  update(as: string, id: string, body: object, plural = 'stories') {
    return this.send(`PUT /api/v1/admin/cms/${plural}/${id}`, as, body);
  }

  async note(as: string, id: string, mentions: readonly string[], more: object = {}): Promise<string> {
    const body = { text: 'Look', mentions: mentions.map((name) => this.id(name)), ...more };
    return (await this.send(`POST /api/v1/admin/cms/stories/${id}/notes`, as, body)).id;
  }

  /** Runs what is due a second later: a job that runs by itself rests for a moment between its runs. */
  async runJobs(milliseconds = 1_000): Promise<void> {
    this.#clock.ahead += milliseconds;
    await this.service.runJobs();
  }

  /** The notifications of somebody once all events have been read, newest first. */
  async list(as: string, query = ''): Promise<Reply['json']> {
    await this.runJobs();
    return this.send(`GET ${root}${query}`, as);
  }

  /** The kinds of these. */
  async kinds(as: string): Promise<readonly string[]> {
    return (await this.list(as)).items.map(({ kind }: { kind: string }) => kind);
  }

  /** How often the log says that there is news for anybody. */
  async news(): Promise<number> {
    const statement = query("SELECT seq FROM recto_events WHERE type = 'recto:notification'");
    return (await this.service.database.rows(statement)).length;
  }

  readAll(as: string) {
    return this.send(`POST ${root}/read`, as, { before: '2999-01-01T00:00:00Z' });
  }
}
