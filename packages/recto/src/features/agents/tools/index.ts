import type { AgentMode } from '../agent-mode.ts';
import type { Tool } from '../tool.ts';
import { createDraft } from './create-draft.ts';
import { describeType } from './describe-type.ts';
import { getRecord } from './get-record.ts';
import { listTypes } from './list-types.ts';
import { publishRecord } from './publish-record.ts';
import { searchRecords } from './search-records.ts';
import { updateDraft } from './update-draft.ts';

const all: readonly Tool[] = [
  listTypes,
  describeType,
  searchRecords,
  getRecord,
  createDraft,
  updateDraft,
  publishRecord,
];

const ranks: Readonly<Record<AgentMode, number>> = { read: 0, drafts: 1, publish: 2 };

/** The tools of a mode. */
export const toolsOf = (mode: AgentMode): readonly Tool[] => all.filter(({ from }) => ranks[from] <= ranks[mode]);
