/** English texts of the area "media". */
export const media = {
  title: '',
} as const;
