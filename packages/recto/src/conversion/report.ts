/** Reports an error in a file: where it is, what is wrong, and a fix. */
export type Report = (path: string, message: string, remedy: string) => void;
