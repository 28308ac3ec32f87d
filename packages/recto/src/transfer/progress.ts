/** Called often during long work, with its progress. `done` and `total` count bytes or records. */
export type Progress = (phase: string, done: number, total: number) => void;

export const noProgress: Progress = () => undefined;
