/** A search for jobs as one would type it: what would end a value, or its quotes, is escaped. */
export const searchFor = (values) => Object.entries(values)
  .map(([name, value]) => `${name}:${/^[^\s"\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`)
  .join(' ');
