// @ts-check
/**
 * Reads and changes the address of a page: `#/jobs/17?state=…`. The address contains every
 * selection, so that it can be shared and the back button works.
 *
 * @typedef {{page: string, parts: string[], query: URLSearchParams}} Route
 * @typedef {Record<string, string | number | boolean | null | undefined>} Parameters
 */

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // The address is malformed: no object has this name, and the page reports that.
    return part;
  }
}

/**
 * Parses an address.
 *
 * @param {string} hash
 * @returns {Route}
 */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { page: parts[0] ?? 'overview', parts: parts.slice(1), query: new URLSearchParams(query) };
}

/** Returns the current address. */
export const current = () => parse(location.hash);

/**
 * Returns a path with its parts and parameters escaped, without empty parameters.
 *
 * @param {(string | number)[]} parts
 * @param {Parameters} parameters
 */
export function url(parts, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => (value ?? '') !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const path = parts.map(encodeURIComponent).join('/');
  return query.size ? `${path}?${query}` : path;
}

/**
 * @param {string} page
 * @param {(string | number)[]} parts
 * @param {Parameters} query
 */
export const href = (page, parts = [], query = {}) => `#/${url([page, ...parts], query)}`;

/**
 * Changes parameters of the current page.
 *
 * @param {Parameters} changes
 */
export function setQuery(changes) {
  const { page, parts, query } = current();
  location.hash = href(page, parts, { ...Object.fromEntries(query), ...changes });
}

/**
 * @param {string} page
 * @param {(string | number)[]} [parts]
 * @param {Parameters} [query]
 */
export function go(page, parts, query) {
  location.hash = href(page, parts, query);
}
