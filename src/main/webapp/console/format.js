// @ts-check
/** Formats numbers, times, durations and states. */

const WHOLE = new Intl.NumberFormat();
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** @param {number} number */
export const whole = (number) => WHOLE.format(number);
/** @param {number} number */
export const compact = (number) => (Math.abs(number) < 10_000 ? WHOLE.format(number) : COMPACT.format(number));

/**
 * Returns a time relative to now, such as "3 min ago" or "in 2 hr".
 *
 * @param {string | number | Date} moment
 */
export function relative(moment, now = Date.now()) {
  const difference = new Date(moment).getTime() - now;
  for (const [i, [unit, millis]] of UNITS.entries()) {
    // If the difference rounds to 60 minutes, it is shown as an hour.
    if (Math.abs(difference) >= millis - (UNITS[i + 1]?.[1] ?? 0) / 2 || unit === 'second') {
      return RELATIVE.format(Math.round(difference / millis), unit);
    }
  }
  return '';
}

/**
 * Returns a time in the viewer's time zone.
 *
 * @param {string | number | Date} moment
 */
export const clock = (moment) => MOMENT.format(new Date(moment));

/**
 * Returns a time in the viewer's time zone and in UTC.
 *
 * @param {string | number | Date} moment
 */
export const exact = (moment) => `${MOMENT.format(new Date(moment))} (${new Date(moment).toISOString()})`;

/**
 * Returns a duration, such as "1.2 s" or "4 min 10 s".
 *
 * @param {number | null | undefined} millis
 */
export function span(millis) {
  if (millis === null || millis === undefined || Number.isNaN(millis)) {
    return '–';
  }
  if (millis < 1) {
    return '< 1 ms';
  }
  if (millis < 1_000) {
    return `${Math.round(millis)} ms`;
  }
  if (millis < 60_000) {
    return `${(millis / 1_000).toFixed(millis < 10_000 ? 1 : 0)} s`;
  }
  /** @type {[string, number][]} */
  const [large, small] =
    millis < 3_600_000 ? [['min', 60_000], ['s', 1_000]]
      : millis < 86_400_000 ? [['h', 3_600_000], ['min', 60_000]]
        : [['d', 86_400_000], ['h', 3_600_000]];
  const first = Math.floor(millis / large[1]);
  const second = Math.floor((millis % large[1]) / small[1]);
  return second ? `${first} ${large[0]} ${second} ${small[0]}` : `${first} ${large[0]}`;
}

/**
 * Lists the states of a job, in the order in which a job enters them.
 *
 * @type {Record<string, {label: string, icon: string, live: boolean}>}
 */
export const STATES = {
  SCHEDULED: { label: 'Scheduled', icon: 'clock', live: true },
  BLOCKED: { label: 'Blocked', icon: 'hourglass', live: true },
  AVAILABLE: { label: 'Available', icon: 'circle', live: true },
  RUNNING: { label: 'Running', icon: 'play', live: true },
  COMPLETED: { label: 'Completed', icon: 'circle-check', live: false },
  DISCARDED: { label: 'Discarded', icon: 'circle-x', live: false },
  CANCELLED: { label: 'Cancelled', icon: 'ban', live: false },
  EXPIRED: { label: 'Expired', icon: 'archive', live: false },
};
