/**
 * Where the console is: `#/jobs/17?state=…`. All that a page shows by choice stands in the address,
 * so that it can be sent to somebody and the back button goes where it should.
 */

export function current() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  return { page: parts[0] ?? 'overview', parts: parts.slice(1), query: new URLSearchParams(query) };
}

export function href(page, parts = [], query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') {
      parameters.set(name, value);
    }
  }
  const path = [page, ...parts].map((part) => encodeURIComponent(part)).join('/');
  return `#/${path}${parameters.size ? `?${parameters}` : ''}`;
}

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
