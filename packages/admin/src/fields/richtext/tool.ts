import type { IconName } from '../../ui/icons.ts';

/** A button of a toolbar. */
export interface Tool {
  readonly name: string;
  readonly icon: IconName;
  /** Shown in the place of the icon: "H2". */
  readonly sign?: string;
  /** Undefined: it is no state, but does something once. */
  readonly isPressed?: boolean | undefined;
  readonly isDisabled?: boolean;
  readonly keys?: string;
  run(): void;
}
