export const verdicts = ['ok', 'warn', 'fail'] as const;
export type Verdict = (typeof verdicts)[number];

/** The result of one check, with a remedy. */
export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly detail: string;
  readonly remedy?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail });
export const warn = (check: string, detail: string, remedy: string): Finding => ({
  ...{ check, verdict: 'warn', detail, remedy },
});
export const fail = (check: string, detail: string, remedy: string): Finding => ({
  ...{ check, verdict: 'fail', detail, remedy },
});

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
