/** A text, or its forms by plural category of the value `count`. `{name}` stands for a value. */
export type Message =
  | string
  | {
      readonly one?: string;
      readonly two?: string;
      readonly few?: string;
      readonly many?: string;
      readonly zero?: string;
      readonly other: string;
    };

/** Texts by area and name. */
export type Texts = Readonly<Record<string, Readonly<Record<string, Message>> | undefined>>;
