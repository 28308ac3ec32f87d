import type { IconName } from './icons.ts';

/** One entry of a `Menu`. */
export type MenuItem =
  | {
      readonly label: string;
      readonly icon?: IconName | undefined;
      /** Opens a page instead of running something. */
      readonly href?: string;
      readonly run?: () => void;
      readonly kind?: 'plain' | 'danger';
      readonly disabled?: boolean;
      /** One of several: shown with a check. */
      readonly checked?: boolean;
      /** What is checked is on, beside others. */
      readonly isToggle?: boolean;
      /** Keys that do the same: "Ctrl+S". */
      readonly keys?: string;
      /** Said below the label. */
      readonly detail?: string | undefined;
    }
  | { readonly heading: string }
  | { readonly separator: true };
