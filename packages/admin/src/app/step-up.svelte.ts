import type { FactorMethod } from '../api/sign-in-offer.ts';

export type StepUpMethod = 'password' | FactorMethod;

interface Question {
  readonly methods: readonly StepUpMethod[];
  readonly answer: (isConfirmed: boolean) => void;
}

let question = $state.raw<Question>();
let pending: Promise<boolean> | undefined;

/** The question whether it is still the same person who sits there. One at a time: whoever needs it meanwhile gets its answer too. */
export const stepUp = {
  /** How it can be answered. Undefined: nothing is asked. Reactive. */
  get methods(): readonly StepUpMethod[] | undefined {
    return question?.methods;
  },
  /** Resolves to whether the service has been shown that it is. */
  ask(methods: readonly StepUpMethod[]): Promise<boolean> {
    pending ??= new Promise<boolean>((resolve) => {
      question = { methods, answer: resolve };
    });
    return pending;
  },
  answer(isConfirmed: boolean): void {
    const asked = question;
    question = undefined;
    pending = undefined;
    asked?.answer(isConfirmed);
  },
};
