import { controlId, useForm } from './form-context.ts';

/** The ids of the parts of a field, by which they refer to each other. */
export interface FrameIds {
  readonly control: string;
  readonly label: string;
  readonly help: string;
  readonly error: string;
  readonly note: string;
  /** For `aria-describedby`: the parts that are shown. */
  describedBy(shown: Shown): string | undefined;
}

interface Shown {
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly note?: string | undefined;
}

/** Of the field that is being set up. The path may change later, as items of a list move. */
export function frameIds(path: () => string): FrameIds {
  const form = useForm();
  const part = (name: string): string => `${controlId(form, path())}:${name}`;
  return {
    get control() {
      return controlId(form, path());
    },
    get label() {
      return part('label');
    },
    get help() {
      return part('help');
    },
    get error() {
      return part('error');
    },
    get note() {
      return part('note');
    },
    describedBy({ help, error, note }) {
      const names = [error && 'error', note && 'note', help && 'help'].filter((name) => !!name);
      return names.length === 0 ? undefined : names.map((name) => part(String(name))).join(' ');
    },
  };
}
