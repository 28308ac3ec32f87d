import Type from 'typebox';
import { rateLimiter } from '../../auth/rate-limiter.ts';
import type { Operation } from '../../http/operation.ts';
import type { FeatureCore } from '../feature.ts';
import type { Content } from '../service-core.ts';
import { agentCaller, clientName } from './agent-caller.ts';
import type { AgentMode } from './agent-mode.ts';
import { AgentRequests } from './agent-requests.ts';
import { requireKnownAddress } from './known-address.ts';

export interface McpParts {
  readonly core: FeatureCore;
  readonly mode: AgentMode;
  readonly content: Content;
}

const allowance = {
  name: 'mcp',
  points: 60,
  seconds: 60,
  detail: 'At most 60 calls a minute for an API token.',
} as const;

const anyObject = Type.Object({}, { additionalProperties: true });

/** One message of the Model Context Protocol. Stateless: nothing is kept between two of them. */
export function mcpOperation({ core, mode, content }: McpParts): Operation {
  const { settings, counters } = core;
  const requests = new AgentRequests(content, settings);
  const admit = settings.rateLimit ? rateLimiter(counters, allowance) : undefined;
  return {
    id: 'callMcp',
    method: 'POST',
    path: '/mcp',
    tag: 'agents',
    summary: 'Call tools by the Model Context Protocol',
    description: 'For API tokens with the scope `mcp`. Takes one JSON-RPC message of MCP 2025-03-26 to 2026-07-28.',
    security: 'bearer',
    anyScope: true,
    body: { schema: anyObject, validation: 'own' },
    responses: {
      200: {
        description: 'The answer to a request.',
        schema: anyObject,
        alternatives: { 'text/event-stream': Type.String() },
      },
      202: { description: 'A notification, which has no answer.' },
    },
    problems: [400, 429, 503],
    async handle(context) {
      requireKnownAddress(context, settings);
      const body = await context.body();
      const caller = agentCaller(context.caller, clientName(body, context.request.headers));
      await admit?.(caller.id);
      // The protocol's package and its schemas: nothing else needs them.
      const { answerMessage } = await import('./mcp-server.ts');
      return answerMessage(context.request, body, {
        mode,
        types: content.types,
        caller,
        requests: requests.of(caller, context.id),
      });
    },
  };
}
