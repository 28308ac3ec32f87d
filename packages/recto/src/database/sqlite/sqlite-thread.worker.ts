import { SQLiteError } from 'bun:sqlite';
import { Problem } from '../../base/problem.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { openThreadConnection, type ThreadConnection } from './sqlite-file.ts';
import { startTiming } from './statement-time.ts';
import type { ThreadFailure, ThreadOutcome, ThreadStatement, ToThread } from './thread-messages.ts';

// The program of a thread: runs one statement after the other on a connection of its own.

declare const self: Worker;

let options: ThreadConnection | undefined;
let connection: SqliteConnection | undefined;

self.onmessage = ({ data }: MessageEvent<ToThread>): void => {
  if (data === 'close') {
    connection?.close();
    process.exit();
  } else if ('open' in data) options = data.open;
  else self.postMessage(outcomeOf(data.run));
};

function outcomeOf({ number, ask, query }: ThreadStatement): ThreadOutcome {
  const time = startTiming();
  try {
    if (options === undefined) throw new Error('A thread was given a statement before a file.');
    // Not before the first statement: whoever asks for one gets the reason why the file cannot be opened, and the next may succeed.
    connection ??= openThreadConnection(options);
    const value = ask === 'rows' ? connection.rows(query) : connection.first(query);
    return { number, time: time(), result: { value } };
  } catch (error) {
    return { number, time: time(), result: { failure: failureOf(error) } };
  }
}

function failureOf(thrown: unknown): ThreadFailure {
  // The connection has made a problem of an outage, as the other side does again.
  const error = thrown instanceof Problem ? thrown.cause : thrown;
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: undefined, code: undefined, fault: undefined };
  }
  const { name, message, stack } = error;
  return {
    name,
    message,
    stack,
    code: error instanceof SQLiteError ? error.code : undefined,
    fault: sqliteFault(error),
  };
}
