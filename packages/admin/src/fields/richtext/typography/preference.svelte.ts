const name = 'recto.typographic';

function read(): boolean {
  try {
    return localStorage.getItem(name) !== 'off';
  } catch {
    return true;
  }
}

let isOn = $state(read());

/** Whether quotes and dashes are written as the language does. The browser keeps it. */
export const typographicPreference = {
  get isOn(): boolean {
    return isOn;
  },
  set(wanted: boolean): void {
    isOn = wanted;
    try {
      localStorage.setItem(name, wanted ? 'on' : 'off');
    } catch {
      // It holds until the page is left.
    }
  },
};
