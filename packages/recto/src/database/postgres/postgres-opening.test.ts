import { expect, test } from 'bun:test';
import { rectoTables } from '../../service/recto-tables.ts';
import { openDatabase } from '../open-database.ts';

// https://www.postgresql.org/docs/current/protocol-message-formats.html
const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: jit\0\0';
const rejection = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(fields)]);
rejection.writeInt32BE(4 + fields.length, 1);

test('an address that rejects settings, as a pooler does, is an error that names the setting for it', async () => {
  using pooler = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    // A message of 8 bytes asks for TLS.
    socket: { data: (socket, { length }) => void (length === 8 ? socket.write('N') : socket.end(rejection)) },
  });
  const url = `postgres://recto@127.0.0.1:${pooler.port}/recto`;
  await expect(openDatabase({ kind: 'postgres', url }, { engine: rectoTables })).rejects.toThrow(
    `The database 127.0.0.1:${pooler.port}/recto takes no connection with settings of its own, as a pooler in transaction mode does not: name the server itself in RECTO_DATABASE_LISTEN_URL.`,
  );
});
