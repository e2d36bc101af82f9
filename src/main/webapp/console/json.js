/** JSON as text: numbers keep every digit, and the order of members stays. */

/** The end of the value that starts here. */
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

/** The text of a member of an object, or null. */
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

/** Characters that turn the direction of writing, and could show what is not there. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** What it says, in the order in which it is written. */
export const escaped = (text) => String(text).replace(TURNS, (turn) => `\\u${turn.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** With line breaks and indents. */
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

/** Whether this is no JSON; the field it was typed into says so. */
export function notJson(field, text) {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    field.setCustomValidity(`no JSON: ${error.message}`);
    field.reportValidity();
    return true;
  }
}
