// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { query, type TestDatabase } from '../../../../../test/support/database/database.ts';
import { definitionsOf } from '../../../../../test/support/definitions.ts';
import {
  author,
  type Definition,
  expectDone,
  field,
  migrate,
  refusal,
  relation,
  stored,
  type,
} from '../migration.fixture.ts';
import { syncSchema } from '../sync-schema.ts';

const code = field('code', 'text', { max_length: 50 });
const by = relation('by', 'many_to_one', 'authors');
const articles = (fields: readonly unknown[], rest: Definition = {}) => [author, type('article', fields, rest)];
const set = { unique: [['by', 'code']] };

const people = { cms_author: ['x', 'y'].map((id) => ({ id, name: id })) };
const differ = {
  ...people,
  cms_article: [
    { id: 'a', code: '1', by: 'x' },
    { id: 'b', code: '1', by: 'y' },
    { id: 'c', code: '1', by: null },
    { id: 'd', code: '1', by: null },
  ],
};
/** Runs a statement that writes. */
const write = (database: TestDatabase, statement: string) =>
  database.transaction(async (transaction) => {
    await transaction.run(query(statement));
  });
const insert = (id: string, values: string) => `INSERT INTO cms_article (id, code, "by") VALUES ('${id}', ${values})`;

describe('a set of unique fields', () => {
  test('comes with its type, and takes no record without one of the values for another', async () => {
    await using database = await stored(articles([code, by], set), differ);
    await expectDone(database, articles([code, by], set));
    await expect(write(database, insert('e', "'1', 'x'"))).rejects.toThrow(/unique/i);
    await write(database, insert('e', "'2', 'x'"));
  });

  test('is added by migrate apply where values are stored, and by a start where none are', async () => {
    await using database = await stored(articles([code, by]), differ);
    const after = articles([code, by], set);
    expect(await refusal(syncSchema(database, definitionsOf(...after)))).toContain(
      'by, code become unique together; their values in 2 records all differ',
    );
    await migrate(database, after);
    await expectDone(database, after);
    await expect(write(database, insert('e', "'1', 'x'"))).rejects.toThrow(/unique/i);
    await syncSchema(database, definitionsOf(...articles([code, by])));
    await expectDone(database, articles([code, by]));
    await write(database, insert('e', "'1', 'x'"));

    await using empty = await stored(articles([code, by]), {});
    await syncSchema(empty, definitionsOf(...after));
    await expectDone(empty, after);
  });

  test('is refused where records share the values, which are named', async () => {
    const same = { ...people, cms_article: [...differ.cms_article, { id: 'f', code: '1', by: 'x' }] };
    await using database = await stored(articles([code, by]), same);
    const refused = await refusal(migrate(database, articles([code, by], set)));
    expect(refused).toContain('others have the same in 2 of 5 records (a, f)');
    expect(refused).toContain('make them differ first, or leave the set out');
  });

  test('follows its fields and its type to other names and kinds', async () => {
    await using database = await stored(articles([field('code', 'integer'), by], set), {
      ...people,
      cms_article: [{ id: 'a', code: 1, by: 'x' }],
    });
    const after = [
      author,
      type(
        'text',
        [
          field('number', 'text', { max_length: 20, renamed_from: 'code' }),
          relation('who', 'many_to_one', 'authors', { renamed_from: 'by' }),
        ],
        { unique: [['who', 'number']], renamed_from: 'article' },
      ),
    ];
    await migrate(database, after);
    await expectDone(database, after);
    await expect(write(database, `INSERT INTO cms_text (id, number, "who") VALUES ('b', '1', 'x')`)).rejects.toThrow(
      /unique/i,
    );
  });

  test('sees what new fields hold in records that are there', async () => {
    const fresh = field('kind', 'enum', { enum_values: ['a', 'b'], default: 'a' });
    const more = { unique: [['code', 'kind']] };
    await using database = await stored(articles([code, by]), differ);
    expect(await refusal(migrate(database, articles([code, by, fresh], more)))).toContain('4 of 4 records');
    const without = { ...fresh, default: undefined };
    await migrate(database, articles([code, by, without], more));
    await expectDone(database, articles([code, by, without], more));
  });

  test('of new fields alone is refused where all records would get their defaults', async () => {
    const fresh = ['one', 'two'].map((name) => field(name, 'integer', { default: 1 }));
    await using database = await stored(articles([code, by]), differ);
    expect(await refusal(migrate(database, articles([code, by, ...fresh], { unique: [['one', 'two']] })))).toContain(
      '4 records would have the same defaults',
    );
  });

  test('is unique within a tenant, and among records of no tenant', async () => {
    const own = { ...set, protocols: ['tenantable'] };
    await using database = await stored(articles([code, by], own), differ);
    await expectDone(database, articles([code, by], own));
    await expect(write(database, insert('e', "'1', 'x'"))).rejects.toThrow(/unique/i);
    const other = `INSERT INTO cms_article (id, code, "by", tenant_id) VALUES ('e', '1', 'x', 'acme')`;
    await write(database, other);
    await expect(write(database, other.replace("'e'", "'f'"))).rejects.toThrow(/unique/i);
  });

  test('is checked again where tenants are no longer kept apart', async () => {
    const own = { ...set, protocols: ['tenantable'] };
    const cms_article = ['acme', 'globex'].map((tenant_id) => ({ id: tenant_id, code: '1', by: 'x', tenant_id }));
    await using database = await stored(articles([code, by], own), { ...people, cms_article });
    expect(await refusal(migrate(database, articles([code, by], set)))).toContain('2 of 2 records (acme, globex)');
    await write(database, "DELETE FROM cms_article WHERE id = 'acme'");
    const tenants = field('tenant_id', 'text');
    await migrate(database, articles([code, by, tenants], set));
    await migrate(database, articles([code, by], own));
  });

  test('goes with a type that goes, and with a field that refers to one', async () => {
    const indexed = relation('by', 'many_to_one', 'authors', { indexed: true });
    await using database = await stored(articles([code, indexed], set), differ);
    await migrate(database, [author], ['article']);
    await expectDone(database, [author]);

    await using other = await stored(articles([code, indexed], set), {});
    await migrate(other, [type('article', [code])], ['author']);
    await expectDone(other, [type('article', [code])]);
  });
});
