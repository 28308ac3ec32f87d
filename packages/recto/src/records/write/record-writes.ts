import type { ContentType } from '../../definition/content-type.ts';
import type { StoredRecord, WriteMoment } from '../../definition/protocol.ts';
import type { RecordChanges } from '../checks/payload.ts';
import type { StoredLinks } from '../checks/stored-links.ts';
import type { Authorship } from '../revisions/revision-writer.ts';
import type { Translations } from '../statements/language-statements.ts';

/** A write of a record of a type, before its values are known. */
export type TypeMoment = Omit<WriteMoment, 'changed'> & { readonly type: ContentType };

/** A new record, checked. */
export interface NewRecord {
  readonly type: ContentType;
  /** All of its own columns. */
  readonly record: StoredRecord;
  readonly changes: RecordChanges;
  /** Null for one that is brought in from elsewhere: its versions begin with its first change. */
  readonly authorship: Authorship | null;
}

/** An update of a stored record, checked. */
export interface RecordUpdate {
  readonly type: ContentType;
  readonly current: StoredRecord;
  readonly links: StoredLinks;
  readonly changes: RecordChanges;
  /** Null for what is no version of its own. */
  readonly authorship: Authorship | null;
  /** What it changes in other languages than the default; absent: nothing. */
  readonly translated?: Translations;
}

/** The removal of a stored record. */
export interface RecordRemoval {
  readonly type: ContentType;
  /** All of its own columns. */
  readonly record: StoredRecord;
  readonly authorship: Authorship;
}
