/** English texts of the command palette and the keyboard help. */
export const palette = {
  title: 'Command palette',
} as const;
