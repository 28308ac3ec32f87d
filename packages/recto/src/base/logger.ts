import pino from 'pino';
import { errorFields } from './error-fields.ts';

/** A line of the log: what it is about, and in words what happened; or the words alone. */
export interface LogLine {
  (fields: object, message?: string): void;
  (message: string): void;
}

/** A logger such as pino's. */
export interface Logger {
  readonly fatal: LogLine;
  readonly error: LogLine;
  readonly warn: LogLine;
  readonly info: LogLine;
  readonly debug: LogLine;
  /** Whether lines of a level are written, for those that cost something to make. */
  isLevelEnabled(level: LogLevel): boolean;
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Accepts complete lines, each with its line end. */
export interface LogDestination {
  write(line: string): void;
}

const hidden = '[hidden]';
const secretKeys: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'password',
  'new_password',
  'current_password',
  'adminPassword',
  'secret',
  'token',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
]);

/**
 * The service's log: one JSON object a line, on stderr by default, because stdout is for command output.
 * `time` is RFC 3339, UTC, milliseconds; `err` is an error with its stack and causes; values whose names mark
 * them as secrets are hidden (except values bound to a child logger, which must not be secrets).
 */
export function createLogger(level: LogLevel, destination?: LogDestination): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, 3),
      },
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    // Synchronous: no line is lost or reordered when the process ends at once.
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

/**
 * The fields with secrets hidden, down to `depth` levels; the same object when there is nothing to hide.
 * pino's own `redact` works by paths; with this many names and levels it takes ten times as long as writing the line.
 */
function withoutSecrets(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const shown = secretKeys.has(name.replaceAll('-', '_')) ? hidden : shownValue(value, depth);
    if (shown === value) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

function shownValue(value: unknown, depth: number): unknown {
  return depth > 1 && isPlainObject(value) ? withoutSecrets(value, depth - 1) : value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
