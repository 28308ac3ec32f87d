/** English texts of the area "fields". */
export const fields = {
  title: '',
} as const;
