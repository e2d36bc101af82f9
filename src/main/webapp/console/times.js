// @ts-check
/** Describes the times at which schedules fire. */
import { span } from './format.js';

const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** The time zone of the browser. */
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
