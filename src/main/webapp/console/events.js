/**
 * What the server tells by itself. While it cannot be heard, everybody asks every two seconds; a
 * hidden tab does neither.
 */

const RETRY = 10_000;
const POLL = 2_000;
const listeners = new Set();
let source = null;
let timer = null;
let wanted = false;

function tell(topics, counters) {
  listeners.forEach((listener) => listener(topics, counters));
}

function poll() {
  clearInterval(timer);
  timer = setInterval(() => tell(['jobs', 'queues', 'nodes'], null), POLL);
}

function open() {
  if (!wanted || source || document.hidden) {
    return;
  }
  source = new EventSource('api/events');
  source.addEventListener('open', () => clearInterval(timer));
  source.addEventListener('pulse', (event) => {
    const pulse = JSON.parse(event.data);
    tell(pulse.changed, pulse);
  });
  const lost = () => {
    close();
    if (wanted && !document.hidden) {
      poll();
      setTimeout(open, RETRY);
    }
  };
  source.addEventListener('end', lost);
  source.addEventListener('error', lost);
}

function close() {
  source?.close();
  source = null;
  clearInterval(timer);
}

document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));

/** Listens while somebody is signed in. */
export function start() {
  wanted = true;
  open();
}

export function stop() {
  wanted = false;
  close();
}

/** Calls the listener with the topics of which something has changed, until what it gives is called. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
