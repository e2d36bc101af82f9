// @ts-check
/** The syntax of job searches, as the server's `JobSearch` parses it. */

const PART = /((?:[\w.-]+[:<>])?)("(?:[^"\\]|\\.)*"|\S+)/g;

/** @param {string} value */
const quoted = (value) => (/^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`);

/** @param {string} text */
const unquoted = (text) => (/^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text);

/**
 * Returns the search for these values; a value with spaces or quotes is quoted.
 *
 * @param {Record<string, string | number>} values
 */
export const searchFor = (values) => Object.entries(values)
  .map(([name, value]) => `${name}:${quoted(String(value))}`)
  .join(' ');

/**
 * Returns the value of a qualifier in a search, or null.
 *
 * @param {string} search
 * @param {string} name
 */
export function valueIn(search, name) {
  const part = [...search.matchAll(PART)].find(([, qualifier]) => qualifier === `${name}:`);
  return part ? unquoted(part[2]) : null;
}

/**
 * Returns the search with another value of a qualifier; null removes the qualifier.
 *
 * @param {string} search
 * @param {string} name
 * @param {string | number | null} value
 */
export function withValue(search, name, value) {
  const others = [...search.matchAll(PART)].filter(([, qualifier]) => qualifier !== `${name}:`).map(([part]) => part);
  return [...others, ...(value === null ? [] : [searchFor({ [name]: value })])].join(' ');
}

/** The user who has seen the last list of jobs, and the parameters of its address. */
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
