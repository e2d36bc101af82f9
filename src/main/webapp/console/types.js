// @ts-check
/**
 * Returns a job type as the console shows it, without its version if that is 1.
 *
 * @param {{type: string, version?: number}} job
 */
export const typeOf = ({ type, version = 1 }) => (version > 1 ? `${type} v${version}` : type);
