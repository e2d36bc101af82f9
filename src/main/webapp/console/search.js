// @ts-check
/** Implements the syntax of job searches, as the server's `JobSearch` parses it. */

const PART = /((?:[\w.-]+[:<>])?)("(?:[^"\\]|\\.)*"|\S+)/g;

/** @param {string} value */
const isPlain = (value) => /^[^\s"\\,]+$/.test(value);

/** @param {string} value */
const quoted = (value) => (isPlain(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`);

/** @param {string} text */
const unquoted = (text) => (/^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text);

/**
 * Returns the search for these values; a value with spaces, quotes or commas is quoted.
 *
 * @param {Record<string, string | number>} values
 */
export const searchFor = (values) => Object.entries(values)
  .map(([name, value]) => `${name}:${quoted(String(value))}`)
  .join(' ');

/** Lists the qualifiers that accept several values, separated by commas. */
const LISTS = new Set(['queue', 'type', 'version', 'priority', 'node']);

/**
 * Returns the values of a qualifier in a search.
 *
 * @param {string} search
 * @param {string} name
 */
export function valuesIn(search, name) {
  const part = [...search.matchAll(PART)].find(([, qualifier]) => qualifier === `${name}:`);
  if (!part) {
    return [];
  }
  const [, , text] = part;
  return LISTS.has(name) && !text.startsWith('"') ? text.split(',').filter(Boolean) : [unquoted(text)];
}

/**
 * Returns true if a value can be added to the values of a qualifier.
 *
 * @param {string} search
 * @param {string} name
 * @param {string} value
 */
export const canAdd = (search, name, value) => LISTS.has(name) && [...valuesIn(search, name), value].every(isPlain);

/**
 * Returns the search with other values of a qualifier; an empty list removes the qualifier. Several
 * values are possible only if each of them can be added.
 *
 * @param {string} search
 * @param {string} name
 * @param {(string | number)[]} values
 */
export function withValues(search, name, values) {
  const others = [...search.matchAll(PART)].filter(([, qualifier]) => qualifier !== `${name}:`).map(([part]) => part);
  const own = values.length > 1 ? [`${name}:${values.join(',')}`] : values.map((value) => searchFor({ [name]: value }));
  return [...others, ...own].join(' ');
}

/** Remembers the user that has seen the last list of jobs, and the parameters of its address. */
let lastList = { user: '', parameters: {} };

/**
 * Remembers the list of jobs that a user sees.
 *
 * @param {string | undefined} user
 * @param {Record<string, string>} parameters
 */
export const rememberList = (user = '', parameters) => { lastList = { user, parameters }; };

/**
 * Returns the parameters of the last list of jobs that the user has seen.
 *
 * @param {string | undefined} user
 */
export const listOf = (user = '') => (user === lastList.user ? lastList.parameters : {});
