export const hookPhases = ['check', 'write', 'after', 'route', 'job'] as const;
export type HookPhase = (typeof hookPhases)[number];
export const hookResults = ['ok', 'error', 'timeout'] as const;
export type HookResult = (typeof hookResults)[number];

/** How often code of the deployment ran in this process, by phase and result. */
export class HookCounts {
  readonly #counts = new Map<string, number>();

  add(phase: HookPhase, result: HookResult): void {
    const key = `${phase} ${result}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Counts a run when what is returned is called. */
  begin(phase: HookPhase): (result: HookResult) => void {
    return (result) => this.add(phase, result);
  }

  counted<T>(phase: HookPhase, run: () => T): T {
    try {
      const made = run();
      this.add(phase, 'ok');
      return made;
    } catch (error) {
      this.add(phase, 'error');
      throw error;
    }
  }

  of(phase: HookPhase, result: HookResult): number {
    return this.#counts.get(`${phase} ${result}`) ?? 0;
  }
}
