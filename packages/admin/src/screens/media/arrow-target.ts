interface GridShape {
  readonly count: number;
  readonly columns: number;
  /** Reading goes from right to left. */
  readonly isReversed: boolean;
}

/** The place in a grid that a key leads to; undefined where it leads nowhere. */
export function arrowTarget(key: string, from: number, { count, columns, isReversed }: GridShape): number | undefined {
  const forward = isReversed ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -from,
    End: count - 1 - from,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  const target = from + step;
  return target < 0 || target >= count ? undefined : target;
}
