import type { TSchema } from 'typebox';
import type { CronOptions } from './cron.ts';
import type { HookHandlers } from './hooks.ts';
import type { RouteOptions } from './route.ts';

interface LoadedFile {
  /** The file's name without its ending: `article` of `hooks/article.ts`. Stored with what belongs to it. */
  readonly name: string;
  /** As messages name it: `hooks/article.ts`. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
}

export interface LoadedHooks extends LoadedFile {
  readonly type: string;
  readonly handlers: HookHandlers<string>;
}

export interface LoadedRoute extends LoadedFile {
  readonly options: RouteOptions<TSchema, TSchema>;
}

export interface LoadedJob extends LoadedFile {
  readonly schedule: string;
  readonly options: CronOptions;
}

/** The code of a deployment, in the order of the files' names. */
export interface LoadedCode {
  readonly hooks: readonly LoadedHooks[];
  readonly routes: readonly LoadedRoute[];
  readonly jobs: readonly LoadedJob[];
}

export const noCode: LoadedCode = { hooks: [], routes: [], jobs: [] };

const defaultSeconds = 10;

/** How long a handler may take. */
export const timeoutMs = ({ timeout = defaultSeconds }: { readonly timeout?: number }): number => timeout * 1_000;
