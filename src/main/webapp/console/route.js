/**
 * Where the console is: `#/jobs/17?state=…`. All that a page shows by choice stands in the address,
 * so that it can be sent to somebody and the back button goes where it should.
 */

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // As it is: nothing has that name, which its page says.
    return part;
  }
}

export function current() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { page: parts[0] ?? 'overview', parts: parts.slice(1), query: new URLSearchParams(query) };
}

/** A path with its parts and parameters escaped; empty parameters are left out. */
export function url(parts, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => (value ?? '') !== ''));
  const path = parts.map(encodeURIComponent).join('/');
  return query.size ? `${path}?${query}` : path;
}

export const href = (page, parts = [], query = {}) => `#/${url([page, ...parts], query)}`;

/** Changes the parameters of the page that is shown. */
export function setQuery(changes, { replace = false } = {}) {
  const { page, parts, query } = current();
  const target = href(page, parts, { ...Object.fromEntries(query), ...changes });
  if (target === location.hash) {
    return;
  }
  if (replace) {
    history.replaceState(null, '', target);
    dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = target;
  }
}

export function go(page, parts, query) {
  location.hash = href(page, parts, query);
}
