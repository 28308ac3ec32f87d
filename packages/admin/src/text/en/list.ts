/** English texts of the area "list". */
export const list = {
  title: '',
} as const;
