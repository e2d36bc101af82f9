// @ts-check
/** Describes times, and reads them from form fields. */
import { clock, span } from './format.js';

const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** Names the time zone of the browser. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns an ISO 8601 duration such as PT15M in words.
 *
 * @param {string} text
 */
export function duration(text) {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = ISO.exec(text) ?? [];
  return span(((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000);
}

/**
 * Returns a time in another time zone. Browsers do not know all time zones of Java; if the zone is
 * unknown, the time is returned unchanged.
 *
 * @param {string} moment
 * @param {string} zone
 */
export function inZone(moment, zone) {
  try {
    return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(new Date(moment));
  } catch {
    return moment;
  }
}

/**
 * Converts a time to the value of a datetime-local field, which is in the viewer's time zone.
 *
 * @param {string | null | undefined} moment
 */
export function localField(moment) {
  const date = moment ? new Date(moment) : null;
  return date && !Number.isNaN(date.getTime())
    ? new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : '';
}

/**
 * Converts the value of a datetime-local field to a time in UTC.
 *
 * @param {string} typed
 */
export const utc = (typed) => (typed ? new Date(typed).toISOString() : null);

/**
 * Returns the time of the day, with its date if that is not today.
 *
 * @param {string} moment
 */
export function timeOrDate(moment, now = new Date()) {
  const date = new Date(moment);
  return date.toDateString() === now.toDateString() ? date.toLocaleTimeString() : clock(date);
}

/**
 * Loads the library that describes cron expressions, and returns a function that describes when a
 * schedule fires.
 *
 * @returns {Promise<(schedule: {cron?: string, daily?: string, every?: string}) => string>}
 */
export async function describer() {
  const { default: cronstrue } = await import('../vendor/cronstrue-3.39.0/cronstrue.js');
  return ({ cron, daily, every }) => {
    if (!cron) {
      return daily ? `Every day at ${daily}` : `Every ${duration(every ?? '')}`;
    }
    try {
      return cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: true });
    } catch {
      return cron;
    }
  };
}
