// @ts-check
import { go } from './route.js';

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} text what the action does
 * @property {string} action the label of the button that confirms
 * @property {string} [dismiss] the label of the other button
 * @property {boolean} [danger] the action cannot be undone
 * @property {{label: string, min: number, max: number, value: number}} [number] a number to ask for
 * @property {{label: string, pattern: string, hint: string}} [word] a word to ask for
 */

/** @param {string} label @param {Partial<HTMLInputElement>} attributes */
function field(label, attributes) {
  const element = Object.assign(document.createElement('label'), { textContent: `${label} ` });
  const input = document.createElement('input');
  Object.assign(input, { required: true, ...attributes });
  element.append(input);
  return { element, input };
}

/** @param {Question} question */
function inputOf({ number, word }) {
  if (number) {
    const { element, input } = field(number.label,
      { type: 'number', min: String(number.min), max: String(number.max), value: String(number.value) });
    return { element, input, read: () => Number(input.value) };
  }
  if (word) {
    const { element, input } = field(word.label,
      { type: 'text', pattern: word.pattern, title: word.hint, autocomplete: 'off', spellcheck: false });
    return { element, input, read: () => input.value.trim() };
  }
  return null;
}

/**
 * Asks the user for confirmation. Resolves to false, or to true, or to the number or word that the
 * question asks for.
 *
 * @param {Question} question
 * @returns {Promise<any>}
 */
export function confirmed(question) {
  const { title, text, action, dismiss = 'Cancel', danger = false } = question;
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog';
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    dialog.setAttribute('aria-describedby', 'dialog-text');
    const heading = Object.assign(document.createElement('h2'), { id: 'dialog-title', textContent: title });
    const paragraph = Object.assign(document.createElement('p'), { id: 'dialog-text', textContent: text });
    const form = Object.assign(document.createElement('form'), { method: 'dialog', className: 'actions' });
    // This button does not submit the form, because the Enter key in the input presses the first
    // submit button of a form.
    const no = Object.assign(document.createElement('button'), { type: 'button', textContent: dismiss, className: 'quiet' });
    no.addEventListener('click', () => dialog.close('no'));
    const yes = Object.assign(document.createElement('button'),
      { value: 'yes', textContent: action, className: danger ? 'danger' : 'primary' });
    const input = inputOf(question);
    form.append(...(input ? [input.element] : []), no, yes);
    dialog.append(heading, paragraph, form);
    document.body.append(dialog);
    // If the page has changed, the question no longer applies.
    const close = () => dialog.close();
    addEventListener('hashchange', close);
    dialog.addEventListener('close', () => {
      removeEventListener('hashchange', close);
      dialog.remove();
      resolve(dialog.returnValue === 'yes' && (input ? input.read() : true));
    });
    dialog.showModal();
    (input?.input ?? no).focus();
  });
}

/**
 * Returns a click handler that ignores double clicks, and clicks while the work is in progress.
 *
 * @param {() => Promise<unknown>} work
 */
export const singleClick = (work) => async (/** @type {MouseEvent} */ event) => {
  const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
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

/**
 * Goes to a page, unless the user has left the address `from` in the meantime.
 *
 * @param {string} from
 * @param {string} page
 * @param {string[]} [parts]
 */
export function goIfStillAt(from, page, parts) {
  if (location.hash === from) {
    go(page, parts);
  }
}
