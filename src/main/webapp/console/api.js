/** The REST API as the console uses it. */
export { url } from './route.js';

let csrfToken = null;
let signedIn = null;
let openIdProvider = null;
let onEnded;
let onOther;
let asking = null;

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

/**
 * `ended` is called when the session is over, and resolves when it has been seen to: whose request
 * was refused, and is signed in again, does not notice. `other` is called with the session that
 * somebody else has begun in another window.
 */
export function whenSignedOut(ended, other) {
  onEnded = ended;
  onOther = other;
}

async function send(method, path, body, options = {}) {
  const { signal, headers, written = false } = options;
  const [token, name] = [csrfToken, signedIn?.name];
  const request = { method, signal, headers: { Accept: 'application/json', ...headers } };
  if (body !== undefined) {
    request.headers['Content-Type'] = 'application/json';
    request.body = written ? body : JSON.stringify(body);
  }
  if (method !== 'GET' && token) {
    request.headers['X-CSRF-Token'] = token;
  }
  const kept = method === 'GET' && known.get(path);
  if (kept) {
    request.headers['If-None-Match'] = kept.tag;
  }
  let response;
  try {
    // Servers refuse an escaped slash.
    response = await fetch(`api/${path.replace(/^[^?]*/, (it) => it.replaceAll('%2F', '/'))}`, request);
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    throw new ApiError(0, { detail: 'the server does not answer; it may be restarting' });
  }
  if (response.status === 304) {
    return kept.text;
  }
  const text = await response.text();
  if (!response.ok) {
    const ended = response.status === 401 && path !== 'session';
    const refused = response.status === 403 && method !== 'GET';
    if (ended && token === csrfToken) {
      asking ??= onEnded().finally(() => { asking = null; });
      await asking;
    } else if (refused && token === csrfToken) {
      // Perhaps for its token: another window may have begun another session.
      await session();
    }
    if ((ended || refused) && token !== csrfToken && signedIn) {
      if (signedIn.name === name) {
        return send(method, path, body, options);
      }
      onOther(signedIn);
      throw new ApiError(403, { detail: `nothing was done: ${signedIn.name} has signed in since in this browser` });
    }
    throw new ApiError(response.status, problemIn(text));
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
  if (signedIn?.name !== session.name) {
    // What is known was known to somebody else.
    known.clear();
  }
  signedIn = session.name ? session : null;
  openIdProvider = session.provider ?? openIdProvider;
  return signedIn;
}

/** What the OpenID provider is called, or null. */
export const provider = () => openIdProvider;

/** Who is signed in, or null. */
export const session = async () => keep(await get('session'));
export const signIn = async (name, password) => keep(await post('session', { name, password }));

/** Resolves to where the OpenID provider signs out too. */
export async function signOut() {
  const ended = await remove('session');
  keep({});
  return ended?.signOut;
}
