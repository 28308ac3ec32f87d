import type { FieldFault } from '../../base/problem.ts';

/** What the protocol calls a result: content for programs, and the same as text for clients that read nothing else. */
export const toolResult = (content: Readonly<Record<string, unknown>>) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(content) }],
  structuredContent: { ...content },
});

/** An error that the agent reads and can mend. */
export const toolError = (code: string, message: string, errors: readonly FieldFault[] = []) => ({
  isError: true,
  content: [
    {
      type: 'text' as const,
      text: JSON.stringify({ error: { code, message, ...(errors.length > 0 ? { errors } : {}) } }),
    },
  ],
});
