import { go } from './route.js';

/**
 * Asks before something is done that cannot be taken back; resolves to whether to go on, or to the
 * number or the word that was asked for with it.
 */
export function confirmed({ title, text, action, danger = false, number, word }) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog';
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    const heading = Object.assign(document.createElement('h2'), { id: 'dialog-title', textContent: title });
    const paragraph = Object.assign(document.createElement('p'), { textContent: text });
    const form = Object.assign(document.createElement('form'), { method: 'dialog', className: 'actions' });
    const no = Object.assign(document.createElement('button'), { value: 'no', textContent: 'Leave it', className: 'quiet' });
    const yes = Object.assign(document.createElement('button'), {
      value: 'yes',
      textContent: action,
      className: danger ? 'danger' : 'primary',
    });
    form.append(no, yes);
    dialog.append(heading, paragraph, form);
    let input = null;
    if (number) {
      const label = Object.assign(document.createElement('label'), { textContent: `${number.label} ` });
      input = Object.assign(document.createElement('input'), {
        type: 'number', min: number.least, max: number.most, value: number.value, required: true,
      });
      label.append(input);
      form.prepend(label);
      no.formNoValidate = true;
    }
    if (word) {
      const label = Object.assign(document.createElement('label'), { textContent: `${word.label} ` });
      input = Object.assign(document.createElement('input'), {
        type: 'text', pattern: word.pattern, title: word.hint, required: true, autocomplete: 'off', spellcheck: false,
      });
      label.append(input);
      form.prepend(label);
      no.formNoValidate = true;
    }
    document.body.append(dialog);
    // Elsewhere, what was asked is no longer meant.
    const leave = () => dialog.close();
    addEventListener('hashchange', leave);
    dialog.addEventListener('close', () => {
      removeEventListener('hashchange', leave);
      dialog.remove();
      resolve(dialog.returnValue === 'yes' && (input ? (word ? input.value.trim() : Number(input.value)) : true));
    });
    dialog.showModal();
    no.focus();
  });
}

/** The work of a button that must not be done twice: until it is over, and by a double click. */
export const once = (work) => async (event) => {
  const button = event.currentTarget;
  if (event.detail > 1 || button.disabled) {
    return;
  }
  button.disabled = true;
  try {
    await work();
  } finally {
    button.disabled = false;
  }
};

/** Goes on when what was begun there has ended, unless somebody has gone elsewhere meanwhile. */
export function goFrom(there, page, parts) {
  if (location.hash === there) {
    go(page, parts);
  }
}
