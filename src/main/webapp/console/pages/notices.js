// @ts-check
import { span, whole } from '../format.js';
import { href } from '../route.js';

/** @param {string} stored */
const ofType = (stored) => {
  const [name, version] = stored.split('@');
  return version ? `type ${name}, version ${version}` : `type ${name}`;
};
/** @param {string} stored */
const searchOf = (stored) => `type:${stored.split('@')[0]} version:${stored.split('@')[1] ?? 1}`;

/**
 * Contains the messages of rare notices, and the addresses at which users can act on them.
 *
 * @type {Record<string, (notice: {about: string, number: number}) => [string, string]>}
 */
export const NOTICES = {
  NOT_WORKED: ({ about, number }) => [`No node handles ${ofType(about)}; its oldest job has been due for ${span(number)}`,
    href('jobs', [], { q: searchOf(about) })],
  UNREADABLE: ({ about }) => [`No live node can read some jobs of ${ofType(about)}: deploy a version that can, or move these jobs`,
    href('jobs', [], { q: searchOf(about), state: 'SCHEDULED' })],
  DEAD_NODE: ({ about, number }) => [`Node ${about} has died${number ? `; ${whole(number)} of its jobs were taken over` : ''}`, href('nodes')],
  OLD_TRANSACTION: ({ about, number }) => [`A transaction${about ? ` of ${about}` : ''} has delayed vacuum for ${span(number)}`, href('about')],
};
