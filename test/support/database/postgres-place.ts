import { SQL } from 'bun';
import { testPostgresUrl } from './database.ts';

/** An empty database of a test's own, for processes that get its URL, as its owner, who may do nothing else. */
export interface PostgresPlace extends AsyncDisposable {
  readonly url: string;
}

export async function newPostgresDatabase(): Promise<PostgresPlace> {
  const base = await testPostgresUrl();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string): Promise<void> => {
    await using client = new SQL(base, { max: 1 });
    await client.unsafe(statement);
  };
  await run(`CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${name}'`);
  await run(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = Object.assign(new URL(base), { pathname: `/${name}`, username: name, password: name });
  const drop = async (): Promise<void> => {
    await run(`DROP DATABASE ${name} WITH (FORCE)`);
    await run(`DROP ROLE ${name}`);
  };
  return { url: url.href, [Symbol.asyncDispose]: drop };
}
