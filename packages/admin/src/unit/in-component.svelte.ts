/** Makes something that is made while a component is set up, and returns it with what ends the component. */
export function inComponent<T>(make: () => T): readonly [T, () => void] {
  let made: T | undefined;
  const end = $effect.root(() => {
    made = make();
  });
  // The root has run by then.
  return [made as T, end];
}
