/** What can be done with the record that is open. */
export interface EditorCommands {
  readonly hasRevisions: boolean;
  readonly change: (name: string, value: unknown) => void;
  readonly save: () => void;
  readonly publish: () => void;
  readonly unpublish: () => void;
  readonly setStatus: (status: string) => void;
  readonly schedule: () => void;
  readonly revisions: () => void;
  /** Who may do what with the record. */
  readonly access: () => void;
  /** Lets the changes of the form wait in a release. */
  readonly addToRelease: () => void;
  readonly duplicate: () => void;
  /** With what belongs to it. */
  readonly duplicateAll: () => void;
  readonly discard: () => void;
  readonly remove: () => void;
}
