// @ts-check
/**
 * Returns a job type as the console shows it, without its version if that is 1.
 *
 * @param {{type: string, version?: number}} job
 */
export const typeOf = ({ type, version = 1 }) => (version > 1 ? `${type} v${version}` : type);

/**
 * Returns the names of the types that nodes handle, without versions, in alphabetical order.
 *
 * @param {Pick<Api.Node, 'types'>[]} nodes
 */
export const handledTypes = (nodes) =>
  [...new Set(nodes.flatMap((node) => node.types.map((type) => type.split('@')[0])))].sort();
