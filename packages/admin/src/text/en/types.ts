/** English texts of the area "types". */
export const types = {
  title: '',
} as const;
