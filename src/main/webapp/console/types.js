/** Returns a job type as it is shown: the first version is not mentioned. */
export const typeOf = ({ type, version }) => (version > 1 ? `${type} v${version}` : type);
