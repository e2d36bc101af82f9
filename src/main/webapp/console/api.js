/** The REST API as the console uses it. */

let csrfToken = null;
let onSignedOut = () => {};

/** The last answers, of which only the change is asked for again. */
const MOST_KNOWN = 30;
const known = new Map();

/** An answer that is not what was asked for; the message says what to do. */
export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `the server answered ${status}`);
    this.status = status;
  }
}

/** Called when the session is over. */
export function whenSignedOut(listener) {
  onSignedOut = listener;
}

async function send(method, path, body, { signal, headers, written = false } = {}) {
  const request = { method, signal, headers: { Accept: 'application/json', ...headers } };
  if (body !== undefined) {
    request.headers['Content-Type'] = 'application/json';
    request.body = written ? body : JSON.stringify(body);
  }
  if (method !== 'GET' && csrfToken) {
    request.headers['X-CSRF-Token'] = csrfToken;
  }
  if (method === 'GET' && known.has(path)) {
    request.headers['If-None-Match'] = known.get(path).tag;
  }
  let response;
  try {
    response = await fetch(`api/${path}`, request);
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    throw new ApiError(0, { detail: 'the server does not answer; it may be restarting' });
  }
  if (response.status === 304) {
    return known.get(path).text;
  }
  const text = await response.text();
  if (!response.ok) {
    const error = new ApiError(response.status, problemIn(text));
    if (response.status === 401 && path !== 'session') {
      onSignedOut();
    }
    throw error;
  }
  if (method === 'GET' && response.headers.get('ETag')) {
    known.set(path, { tag: response.headers.get('ETag'), text });
    if (known.size > MOST_KNOWN) {
      known.delete(known.keys().next().value);
    }
  }
  return text;
}

function problemIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const parsed = (text) => (text ? JSON.parse(text) : null);

export const get = async (path, options) => parsed(await send('GET', path, undefined, options));
/** As it came: numbers too large for JavaScript keep their digits. */
export const getText = (path, options) => send('GET', path, undefined, options);
export const post = async (path, body = {}, options) => parsed(await send('POST', path, body, options));
export const put = async (path, body, options) => parsed(await send('PUT', path, body, options));
/** With a body that is JSON already, digits and all. */
export const putText = async (path, text) => parsed(await send('PUT', path, text, { written: true }));
export const patch = async (path, body, options) => parsed(await send('PATCH', path, body, options));
export const remove = async (path, options) => parsed(await send('DELETE', path, undefined, options));

function keep(session) {
  csrfToken = session.csrfToken ?? null;
  return session.name ? session : null;
}

/** Who is signed in, or null. */
export const session = async () => keep(await get('session'));
export const signIn = async (name, password) => keep(await post('session', { name, password }));

export async function signOut() {
  await remove('session');
  known.clear();
  csrfToken = null;
}

/** A path with its parts and parameters escaped; empty parameters are left out. */
export function url(parts, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') {
      query.set(name, value);
    }
  }
  const path = parts.map((part) => encodeURIComponent(part).replaceAll('%2F', '/')).join('/');
  return query.size ? `${path}?${query}` : path;
}
