/** English texts of the area "site". */
export const site = {
  title: '',
} as const;
