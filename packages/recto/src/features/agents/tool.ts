import type { TObject } from 'typebox';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { AgentCaller } from './agent-caller.ts';
import type { AgentMode } from './agent-mode.ts';
import type { CallerRoutes } from './agent-requests.ts';

/** What a tool works with: one call of one caller. */
export interface ToolCall {
  readonly mode: AgentMode;
  readonly types: ContentTypes;
  readonly caller: AgentCaller;
  readonly requests: CallerRoutes;
}

/** A tool that agents call. It takes the type as an argument, so that there are as many tools for 1 type as for 500. */
export interface Tool {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** The least mode that has it. */
  readonly from: AgentMode;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
  };
  /** `given` fits `inputSchema`. Throws a `Problem` that the agent gets as the tool's error. */
  run(given: Readonly<Record<string, unknown>>, call: ToolCall): Promise<Readonly<Record<string, unknown>>>;
}
