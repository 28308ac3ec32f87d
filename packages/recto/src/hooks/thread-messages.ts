import type { FieldFault, ProblemStatus } from '../base/problem.ts';
import type { HookCaller } from './hook-caller.ts';
import type { HookEvent } from './hooks.ts';
import type { RecordCall } from './record-call.ts';

/** What a thread runs once: a handler of a file, with what it is given besides `db` and `signal`. */
export type ThreadTask = { readonly path: string } & (
  | { readonly phase: 'after'; readonly event: HookEvent }
  | { readonly phase: 'route'; readonly input: RouteInput }
  | { readonly phase: 'job' }
);

export interface RouteInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: HookCaller;
}

/** A `Problem` as data. */
export interface PlainProblem {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly FieldFault[];
}

/** An error as data. */
export interface PlainError {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly problem?: PlainProblem | undefined;
}

export type ToThread =
  | { readonly kind: 'run'; readonly run: number; readonly task: ThreadTask }
  | { readonly kind: 'abort'; readonly run: number }
  | { readonly kind: 'answer'; readonly call: number; readonly text: string | null }
  | { readonly kind: 'rejected'; readonly call: number; readonly error: PlainError };

export type FromThread =
  /** The file is loaded, and the handler begins. */
  | { readonly kind: 'began'; readonly run: number }
  | { readonly kind: 'call'; readonly run: number; readonly call: number; readonly request: RecordCall }
  /** A mail to put into the outbox, as JSON text. */
  | { readonly kind: 'mail'; readonly run: number; readonly call: number; readonly mail: string }
  /** What a route returned, as JSON text; null for nothing. */
  | { readonly kind: 'done'; readonly run: number; readonly text: string | null }
  | { readonly kind: 'failed'; readonly run: number; readonly error: PlainError };
