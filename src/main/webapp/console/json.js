// @ts-check
/** Reads JSON as text, so that numbers keep every digit and members keep their order. */

/**
 * Returns the position at which the value that starts at `start` ends.
 *
 * @param {string} text
 * @param {number} start
 */
function end(text, start) {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      i++;
      while (i < text.length && text[i] !== '"') {
        i += text[i] === '\\' ? 2 : 1;
      }
      if (depth === 0) {
        return i + 1;
      }
    } else if (character === '{' || character === '[') {
      depth++;
    } else if (character === '}' || character === ']') {
      if (depth <= 1) {
        return depth === 0 ? i : i + 1;
      }
      depth--;
    } else if (depth === 0 && character === ',') {
      return i;
    }
  }
  return text.length;
}

/**
 * Returns the text of a member of an object, or null.
 *
 * @param {string} text
 * @param {string} name
 */
export function member(text, name) {
  let at = text.indexOf('{') + 1;
  while (at < text.length) {
    while (/[\s,]/.test(text[at])) {
      at++;
    }
    if (text[at] !== '"') {
      return null;
    }
    const afterName = end(text, at);
    const found = JSON.parse(text.slice(at, afterName)) === name;
    let value = text.indexOf(':', afterName) + 1;
    while (/\s/.test(text[value])) {
      value++;
    }
    at = end(text, value);
    if (found) {
      return text.slice(value, at).trim();
    }
  }
  return null;
}

/**
 * Matches characters that change the direction of text, so that a string could look like another one.
 */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/**
 * Returns the text with direction marks written as escapes.
 *
 * @param {unknown} text
 */
export const escaped = (text) => String(text)
  .replace(DIRECTION_MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Returns JSON with line breaks and indentation.
 *
 * @param {string | null | undefined} text
 */
export function pretty(text) {
  if (text === null || text === undefined) {
    return '';
  }
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      const close = end(text, i);
      out += escaped(text.slice(i, close));
      i = close - 1;
    } else if (character === '{' || character === '[') {
      const close = character === '{' ? '}' : ']';
      const rest = text.slice(i + 1).match(/^\s*(.)/)?.[1];
      if (rest === close) {
        out += character + close;
        i = text.indexOf(close, i);
      } else {
        depth++;
        out += character + line();
      }
    } else if (character === '}' || character === ']') {
      depth--;
      out += line() + character;
    } else if (character === ',') {
      out += `,${line()}`;
    } else if (character === ':') {
      out += ': ';
    } else if (!/\s/.test(character)) {
      out += character;
    }
  }
  return out;
}

/**
 * Returns true if the text is not JSON, and reports that at its input field.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} text
 */
export function notJson(field, text) {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    field.setCustomValidity(`This is not JSON: ${error.message}`);
    field.reportValidity();
    return true;
  }
}
