import { span, whole } from '../format.js';
import { href } from '../route.js';

const ofType = (stored) => {
  const [name, version] = stored.split('@');
  return version ? `type ${name}, version ${version}` : `type ${name}`;
};
const searchOf = (stored) => `type:${stored.split('@')[0]} version:${stored.split('@')[1] ?? 1}`;

/** What the rarer notices of the server say, and where to act on them. */
export const NOTICES = {
  NOT_WORKED: ({ about, number }) => [`No node works ${ofType(about)}; the oldest job has been due for ${span(number)}`, href('jobs', [], { q: searchOf(about) })],
  UNREADABLE: ({ about }) => [`No live node can read some jobs of ${ofType(about)}: deploy a version that can, or move them`, href('jobs', [], { q: searchOf(about), state: 'SCHEDULED' })],
  DEAD_NODE: ({ about, number }) => [`${about} died${number ? `; ${whole(number)} jobs were taken over from it` : ''}`, href('nodes')],
  OLD_TRANSACTION: ({ about, number }) => [`${about || 'A transaction'} has kept the database from cleaning up for ${span(number)}`, href('about')],
};
