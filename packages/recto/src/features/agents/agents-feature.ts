import { defineFeature } from '../feature.ts';
import { mcpOperation } from './mcp-operation.ts';

/** The way in for agents: the Model Context Protocol at `/mcp`, unless it is off. */
export const agents = defineFeature({
  name: 'agents',
  create(core) {
    const { mcp } = core.settings;
    return mcp === 'off' ? {} : { operations: (content) => [mcpOperation({ core, mode: mcp, content })] };
  },
});
