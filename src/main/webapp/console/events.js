// @ts-check
/**
 * Receives the events of the server. If the event stream is unavailable, all pages poll every two
 * seconds instead. A hidden tab neither receives events nor polls.
 *
 * @typedef {(changed: string[]) => void} Listener
 */

const RECONNECT_MILLIS = 10_000;
const POLL_MILLIS = 2_000;
const TOPICS = ['jobs', 'queues', 'nodes'];
/** @type {Set<Listener>} */
const listeners = new Set();
/** @type {EventSource | null} */
let source = null;
/** @type {number | undefined} */
let poller;
let started = false;
let updatesPaused = false;

/** @param {string[]} changed */
function notify(changed) {
  if (!updatesPaused) {
    listeners.forEach((listener) => listener(changed));
  }
}

/** Returns true if the user has paused updates: pages then load data only on request. */
export const paused = () => updatesPaused;

/** Pauses updates, or resumes them and reports what may have changed in the meantime. */
export function togglePause() {
  updatesPaused = !updatesPaused;
  notify(TOPICS);
}

function poll() {
  clearInterval(poller);
  poller = setInterval(() => notify(TOPICS), POLL_MILLIS);
}

function open() {
  if (!started || source || document.hidden) {
    return;
  }
  source = new EventSource('api/events');
  source.addEventListener('open', () => clearInterval(poller));
  source.addEventListener('pulse', (event) => notify(JSON.parse(event.data).changed));
  const onLost = () => {
    close();
    if (started && !document.hidden) {
      poll();
      setTimeout(open, RECONNECT_MILLIS);
    }
  };
  source.addEventListener('end', onLost);
  source.addEventListener('error', onLost);
}

function close() {
  source?.close();
  source = null;
  clearInterval(poller);
}

document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));

/** Starts to listen, when a user has signed in. */
export function start() {
  started = true;
  open();
}

export function stop() {
  started = false;
  close();
}

/**
 * Calls the listener with the topics that have changed, until the returned function is called.
 *
 * @param {Listener} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
