/** English texts of the area "comments". */
export const comments = {
  title: '',
} as const;
