import type { TransferCount } from './transfer-report.ts';

/** Called often during long work, with its progress. `done` and `total` count bytes or records. What it throws ends the work. */
export type Progress = (phase: string, done: number, total: number) => void;

export const noProgress: Progress = () => undefined;

/** Called where nothing is half done and no transaction is open, with what has been stored so far. What it rejects with ends the work. */
export type Checkpoint = (counts: readonly TransferCount[]) => Promise<void>;
