/** How things are written: numbers, moments, spans, states. */

const WHOLE = new Intl.NumberFormat();
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

export const whole = (number) => WHOLE.format(number);
export const compact = (number) => (Math.abs(number) < 10_000 ? WHOLE.format(number) : COMPACT.format(number));

/** "3 min ago", "in 2 hr". */
export function relative(moment, now = Date.now()) {
  const difference = new Date(moment) - now;
  for (const [i, [unit, millis]] of UNITS.entries()) {
    // What rounds to 60 minutes is an hour.
    if (Math.abs(difference) >= millis - (UNITS[i + 1]?.[1] ?? 0) / 2 || unit === 'second') {
      return RELATIVE.format(Math.round(difference / millis), unit);
    }
  }
  return '';
}

/** In the viewer's zone. */
export const clock = (moment) => MOMENT.format(new Date(moment));

/** In the viewer's zone, and in UTC. */
export const exact = (moment) => `${MOMENT.format(new Date(moment))} (${new Date(moment).toISOString()})`;

/** "1.2 s", "4 min 10 s". */
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
  const [large, small] =
    millis < 3_600_000 ? [['min', 60_000], ['s', 1_000]]
      : millis < 86_400_000 ? [['h', 3_600_000], ['min', 60_000]]
        : [['d', 86_400_000], ['h', 3_600_000]];
  const first = Math.floor(millis / large[1]);
  const second = Math.floor((millis % large[1]) / small[1]);
  return second ? `${first} ${large[0]} ${second} ${small[0]}` : `${first} ${large[0]}`;
}

/** The states of a job in the order in which a job goes through them. */
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
