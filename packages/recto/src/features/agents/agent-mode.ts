/** What agents may do: read; write drafts as well; publish them as well. */
export type AgentMode = 'read' | 'drafts' | 'publish';
