/** What somebody wants who leaves a page with unsaved changes. */
export type LeaveAnswer = 'stay' | 'discard' | 'save';
