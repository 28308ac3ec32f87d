/** English texts of the area "editor". */
export const editor = {
  title: '',
} as const;
