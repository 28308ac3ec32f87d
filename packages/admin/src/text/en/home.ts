/** English texts of the home page. */
export const home = {
  title: 'Home',
} as const;
