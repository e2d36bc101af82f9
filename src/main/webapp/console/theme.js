/** Dark, light, or as the system has it. */
const KEY = 'readpast.theme';

export const theme = () => localStorage.getItem(KEY) ?? 'system';

export function setTheme(choice) {
  if (choice === 'system') {
    localStorage.removeItem(KEY);
  } else {
    localStorage.setItem(KEY, choice);
  }
  apply();
}

/** Says so too: what is drawn on a canvas has its colours from then. */
export function apply() {
  document.documentElement.dataset.theme = theme();
  dispatchEvent(new Event('themechange'));
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
