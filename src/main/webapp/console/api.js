// @ts-check
/** Sends requests to the REST API. */
export { url } from './route.js';

/** @type {string | null} */
let csrfToken = null;
/** @type {Api.Session | null} */
let signedIn = null;
/** @type {string | null} */
let openIdProvider = null;
/** @type {() => Promise<void>} */
let onSessionEnd;
/** @type {(session: Api.Session) => void} */
let onOtherUser;
/** @type {Promise<void> | null} */
let signingInAgain = null;

/**
 * Limits the number of responses that are kept with their entity tags: the server sends a response
 * again only if it has changed.
 */
const CACHE_SIZE = 30;
/** @type {Map<string, {tag: string, text: string}>} */
const cache = new Map();

/** Represents an error response; its message says what to do. */
class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{detail?: string, title?: string}} problem
   */
  constructor(status, problem) {
    super(problem.detail || problem.title || `The server responded with status ${status}.`);
    this.status = status;
  }
}

/**
 * Sets the callbacks that are called when a session has ended. `sessionEnd` is called when the
 * session has ended; when it resolves, and the user is signed in again, the refused request is
 * repeated. `otherUser` is called with the session that another user has started in another window.
 *
 * @param {() => Promise<void>} sessionEnd
 * @param {(session: Api.Session) => void} otherUser
 */
export function whenSignedOut(sessionEnd, otherUser) {
  onSessionEnd = sessionEnd;
  onOtherUser = otherUser;
}

/**
 * @typedef {{signal?: AbortSignal, headers?: Record<string, string>, written?: boolean}} Options
 * `written`: the body is JSON text
 *
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {Options} [options]
 * @returns {Promise<string>}
 */
async function send(method, path, body, options = {}) {
  const { signal, headers, written = false } = options;
  const [token, name] = [csrfToken, signedIn?.name];
  /** @type {RequestInit & {headers: Record<string, string>}} */
  const request = { method, signal, headers: { Accept: 'application/json', ...headers } };
  if (body !== undefined) {
    request.headers['Content-Type'] = 'application/json';
    request.body = written ? body : JSON.stringify(body);
  }
  if (method !== 'GET' && token) {
    request.headers['X-CSRF-Token'] = token;
  }
  const cached = method === 'GET' ? cache.get(path) : undefined;
  if (cached) {
    request.headers['If-None-Match'] = cached.tag;
  }
  let response;
  try {
    // Servers reject an escaped slash.
    response = await fetch(`api/${path.replace(/^[^?]*/, (it) => it.replaceAll('%2F', '/'))}`, request);
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    throw new ApiError(0, { detail: 'The server does not respond. It may be restarting.' });
  }
  if (response.status === 304 && cached) {
    return cached.text;
  }
  const text = await response.text();
  if (!response.ok) {
    const ended = response.status === 401 && path !== 'session';
    const refused = response.status === 403 && method !== 'GET';
    if (ended && token === csrfToken) {
      signingInAgain ??= onSessionEnd().finally(() => { signingInAgain = null; });
      await signingInAgain;
    } else if (refused && token === csrfToken) {
      // The CSRF token may be outdated, because another window may have started another session.
      await session();
    }
    if ((ended || refused) && token !== csrfToken && signedIn) {
      if (signedIn.name === name) {
        return send(method, path, body, options);
      }
      onOtherUser(signedIn);
      throw new ApiError(403, { detail: `Nothing was changed: ${signedIn.name} has signed in to this browser in the meantime.` });
    }
    throw new ApiError(response.status, problemIn(text));
  }
  const tag = method === 'GET' && response.headers.get('ETag');
  if (tag) {
    cache.set(path, { tag, text });
    if (cache.size > CACHE_SIZE) {
      cache.delete([...cache.keys()][0]);
    }
  }
  return text;
}

/** @param {string} text */
function problemIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param {string} text */
const parsed = (text) => (text ? JSON.parse(text) : null);

/** @param {string} path @param {Options} [options] @returns {Promise<any>} */
export const get = async (path, options) => parsed(await send('GET', path, undefined, options));
/**
 * Returns the text of a response, in which numbers that are too large for JavaScript keep their digits.
 *
 * @param {string} path
 * @param {Options} [options]
 */
export const getText = (path, options) => send('GET', path, undefined, options);
/** @param {string} path @param {any} [body] @param {Options} [options] @returns {Promise<any>} */
export const post = async (path, body = {}, options) => parsed(await send('POST', path, body, options));
/** @param {string} path @param {any} body @param {Options} [options] @returns {Promise<any>} */
export const put = async (path, body, options) => parsed(await send('PUT', path, body, options));
/**
 * Sends a body that is a JSON text, so that its numbers keep all digits.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Promise<any>}
 */
export const putText = async (path, text) => parsed(await send('PUT', path, text, { written: true }));
/** @param {string} path @param {any} body @param {Options} [options] @returns {Promise<any>} */
export const patch = async (path, body, options) => parsed(await send('PATCH', path, body, options));
/** @param {string} path @param {Options} [options] @returns {Promise<any>} */
export const remove = async (path, options) => parsed(await send('DELETE', path, undefined, options));

/** @param {Api.Session} session */
function remember(session) {
  csrfToken = session.csrfToken ?? null;
  if (signedIn?.name !== session.name) {
    // The cached responses belong to another user.
    cache.clear();
  }
  signedIn = session.name ? session : null;
  openIdProvider = session.provider ?? openIdProvider;
  return signedIn;
}

/** Returns the name of the OpenID provider, or null. */
export const provider = () => openIdProvider;

/** Returns the session of the signed-in user, or null. */
export const session = async () => remember(await get('session'));
/** @param {string} name @param {string} password */
export const signIn = async (name, password) => remember(await post('session', { name, password }));

/** Signs out. Resolves to the address at which the OpenID provider also signs out, if there is one. */
export async function signOut() {
  const ended = await remove('session');
  remember({ roles: [], others: 'NONE', queues: {} });
  return ended?.signOut;
}
