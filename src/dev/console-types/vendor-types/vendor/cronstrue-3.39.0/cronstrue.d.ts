declare const cronstrue: { toString(cron: string, options: { use24HourTimeFormat: boolean; verbose: boolean }): string };
export default cronstrue;
