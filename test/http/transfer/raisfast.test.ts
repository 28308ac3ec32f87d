import { describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefinitionFaults } from '../../../packages/recto/src/definition/definition-fault.ts';
import { loadContentTypes, readDefinitionFiles } from '../../../packages/recto/src/definition/load-definitions.ts';
import { TestService } from '../../support/service.ts';

// Files as RaisFast installations have them: read as they are, or refused with the line to write instead.

const installations = join(import.meta.dir, '../../fixtures/raisfast');

/** The errors of an installation, as `file:line path: message — remedy`. */
async function faultsOf(folder: string): Promise<readonly string[]> {
  try {
    await loadContentTypes(folder);
    return [];
  } catch (error) {
    if (!(error instanceof DefinitionFaults)) throw error;
    return error.faults.map(({ file, line, path, message, remedy }) => {
      const name = file.slice(folder.length + 1);
      return `${name}:${line} ${path}: ${message} — ${remedy}`;
    });
  }
}

/** A copy of an installation with these changes in its files. */
async function changed<T>(
  name: string,
  changes: Readonly<Record<string, readonly (readonly [string, string])[]>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-raisfast-'));
  try {
    cpSync(join(installations, name), folder, { recursive: true });
    for (const [file, replacements] of Object.entries(changes)) {
      let text = readFileSync(join(folder, file), 'utf8');
      for (const [before, after] of replacements) {
        expect(text).toContain(before);
        text = text.replace(before, after);
      }
      writeFileSync(join(folder, file), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a forum, whose files are taken as they are', () => {
  test('loads', async () => {
    const types = await loadContentTypes(join(installations, 'forum'));
    const thread = types.get('thread');
    expect(thread.definition).toMatchObject({
      protocols: [
        'ownable',
        'timestampable',
        'soft_deletable',
        { name: 'statusable', values: ['open', 'closed', 'hidden'], default: 'open' },
      ],
      unique: [['board', 'title']],
      admin: { list_columns: ['title', 'board', 'is_pinned', 'status'] },
      api: {
        get: { access: 'public', filter: "status != 'hidden'", filter_auth: '@request.auth.id = created_by' },
        create: { access: 'member' },
        update: {
          access: 'member',
          filter: "(status = 'open' && board.name != 'Archive') && created_by = @request.auth.id",
        },
        delete: { access: 'member', filter: 'created_by = @request.auth.id' },
      },
    });
    expect(thread.field.get('board')).toMatchObject({ place: { target: 'board' }, required: true, indexed: true });
    expect(types.get('board').field.get('slug')?.options).toEqual({ target_field: 'name' });
    expect(types.get('house_rule').protocols.map(({ protocol }) => protocol.name)).toEqual(['timestampable']);
  });

  test('serves', async () => {
    const { sources } = await readDefinitionFiles(join(installations, 'forum'));
    await using service = await TestService.open(sources.map(({ definition }) => definition));
    for (const name of ['mia', 'tom']) await service.account(name);
    const board = await service.seed('boards', { name: 'Bread and cake' });
    expect(board.slug).toBe('bread-and-cake');
    const body = { title: 'Sourdough', body: '<p>Hello</p>', board: board.id, watchers: [service.idOf('tom')] };
    const send = (line: string, as?: string, sent?: object) =>
      service.send(line, { ...(as === undefined ? {} : { as }), ...(sent === undefined ? {} : { body: sent }) });
    expect((await send('POST /api/v1/cms/threads', undefined, body)).status).toBe(401);
    const { status, json } = await send('POST /api/v1/cms/threads', 'mia', body);
    expect([status, json.status]).toEqual([201, 'open']);
    expect((await send('POST /api/v1/cms/threads', 'tom', body)).status).toBe(422);
    const path = `/api/v1/cms/threads/${json.id}`;
    expect((await send(`PUT ${path}`, 'tom', { title: 'Mine' })).status).toBe(403);
    expect((await send(`PUT ${path}`, 'mia', { title: 'Rye', status: 'hidden' })).status).toBe(200);
    expect((await send(`GET ${path}`)).status).toBe(404);
    expect((await send(`GET ${path}`, 'mia')).json.title).toBe('Rye');
    expect((await send('GET /api/v1/cms/house_rule')).status).toBe(200);
  });
});

describe('a CRM', () => {
  test('is refused with the lines to write', async () => {
    expect(await faultsOf(join(installations, 'crm'))).toEqual([
      'company.toml:6 content_type.group: types have no group — leave it out',
      'company.toml:16 fields.owner_id.auto_fill: fields are not filled by themselves here — leave the field out, and write implements = ["ownable"], whose created_by holds the account',
      'company.toml:23 list_view.default_sort: screens have no such hint here — leave it out, and ask for ?sort=name:asc',
      'deal.toml:6 content_type.icon: icon stands in [admin] — write [admin] with icon = "…"',
      'deal.toml:30 indexes[0].fields: the text "title" is too long for an index — give the texts a max_length, together at most 600',
      'deal.toml:33 api.update: nothing says who may update, and versions of RaisFast differ in what that means — write access = "public", "member", "owner" or "admin" below [api.update]',
      'deal.toml:35 api.list.filter: There is no field "owner_id" in "deal". Its fields are id, title, amount, company, stage, created_by, updated_by, created_at, updated_at — fix the rule at its column 1',
    ]);
  });

  test('loads when these lines are written', () =>
    changed(
      'crm',
      {
        'company.toml': [
          ['group = "crm"\n', ''],
          ['[fields.owner_id]\ntype = "text"\nauto_fill = "user_id"\n', ''],
          ['default_sort = "name:asc"\n', ''],
        ],
        'deal.toml': [
          ['icon = "handshake"\n', ''],
          ['required = true\n', 'required = true\nmax_length = 300\n'],
          ['owner_id ==', 'created_by =='],
          ['[api.create]', '[api.update]\naccess = "owner"\n\n[admin]\nicon = "handshake"\n\n[api.create]'],
        ],
      },
      async (folder) => {
        const types = await loadContentTypes(folder);
        expect(types.get('deal').definition).toMatchObject({
          admin: { icon: 'handshake' },
          unique: [['company', 'title']],
          api: {
            list: { filter: 'created_by = @request.auth.id' },
            update: { filter: 'created_by = @request.auth.id' },
          },
        });
        expect(types.get('deal').field.get('amount')?.default).toBe('0');
        expect(types.get('company').field.get('name')?.unique).toBe(true);
        expect(types.get('company').endpoints.update.filter?.source).toBe(
          "@request.auth.id = created_by || @request.auth.role = 'admin'",
        );
      },
    ));
});

describe('a shop', () => {
  test('is refused with the lines to write', async () => {
    expect(await faultsOf(join(installations, 'shop'))).toEqual([
      'order.toml:8 content_type.implements[1]: states are words here and have no numbers — write { name = "statusable", values = ["pending", "paid", "shipped"], default = "paid" }, and the words in rules',
      'order.toml:24 api.list.access: records have no owner — write implements = ["ownable"], or access = "member"',
      'product.toml:6 content_type.draft_publish: states are a protocol — write { name = "statusable", values = ["draft", "published", "archived"], published = "published" } in implements, and leave this out',
      'product.toml:7 content_type.search_fields: all text fields that are not private are searched — leave it out',
      'product.toml:8 content_type.slug_field: there is no field of type uid for the slug — leave it out, or write [fields.slug] with type = "uid" and target_field = "title"',
      'product.toml:17 fields.photo.accept: a media field has no accept — leave it out',
      'product.toml:20 fields.photos.type: "mediaset" is no field type — write type = "media" and multiple = true',
      'product.toml:26 fields.related.through: the table of pairs has a name of its own here — leave it out',
      expect.stringMatching(/^product.toml:29 fields.price.type: "money" is no field type — it is one of: text, /),
      'product.toml:31 api.list: nothing says who may list, and versions of RaisFast differ in what that means — write access = "public", "member", "owner" or "admin" below [api.list]',
    ]);
  });

  test('loads when these lines are written', () =>
    changed(
      'shop',
      {
        'order.toml': [
          [
            '{ name = "statusable", values = "pending=1,paid=10,shipped=20", default = "10", mode = "numeric" }',
            '"ownable", { name = "statusable", values = ["pending", "paid", "shipped"], default = "paid" }',
          ],
        ],
        'product.toml': [
          [
            'draft_publish = true',
            'implements = [{ name = "statusable", values = ["draft", "published", "archived"], published = "published" }]',
          ],
          ['search_fields = ["title"]\n', ''],
          ['[fields.photo]', '[fields.slug]\ntype = "uid"\ntarget_field = "title"\n\n[fields.photo]'],
          ['accept = ["image/*"]\n', ''],
          ['[fields.photos]\ntype = "mediaset"\n', ''],
          ['through = "product_links"\n', ''],
          ['"money"', '"decimal"'],
          ['[api.get]', '[api.list]\naccess = "public"\n\n[api.get]'],
        ],
      },
      async (folder) => {
        const types = await loadContentTypes(folder);
        expect(types.get('order').definition.api).toMatchObject({
          list: { access: 'member', filter: 'created_by = @request.auth.id' },
          get: { access: 'member', filter: 'product != null' },
        });
      },
    ));
});
