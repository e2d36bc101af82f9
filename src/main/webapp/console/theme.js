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

export function apply() {
  document.documentElement.dataset.theme = theme();
}
