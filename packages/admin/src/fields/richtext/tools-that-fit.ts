interface Sizes {
  /** All in pixels. */
  readonly room: number;
  readonly tool: number;
  /** Between groups. */
  readonly gap: number;
}

/** How many tools of each group are shown in one line. Where not all fit, the line ends with the button of a menu, as wide as a tool. */
export function toolsThatFit(groups: readonly number[], { room, tool, gap }: Sizes): readonly number[] {
  const width = (counts: readonly number[]): number => {
    const filled = counts.filter((count) => count > 0);
    return filled.reduce((sum, count) => sum + count * tool, 0) + Math.max(0, filled.length - 1) * gap;
  };
  if (width(groups) <= room) return groups;
  const shown = groups.map(() => 0);
  for (const [index, count] of groups.entries()) {
    for (let place = 0; place < count; place++) {
      const next = shown.with(index, place + 1);
      if (width(next) + gap + tool > room) return shown;
      shown[index] = place + 1;
    }
  }
  return shown;
}
