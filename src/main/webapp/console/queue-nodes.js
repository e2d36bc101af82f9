// @ts-check
/** Shows which nodes serve a queue. */
import { whole } from './format.js';
import { href } from './route.js';
import { searchFor } from './search.js';
import { html, nothing } from './view.js';

/**
 * Shows the running nodes that serve a queue, with their counters since they started.
 *
 * @param {string} queue
 * @param {Api.Listener[]} listeners
 */
export function queueNodes(queue, listeners) {
  const rows = listeners.filter(({ state }) => state === 'ACTIVE' || state === 'STOPPING')
    .flatMap((node) => node.queues.filter((one) => one.queue === queue).map((counters) => ({ node, counters })));
  return html`
    <h2 id="queue-nodes">Nodes</h2>
    ${rows.length ? html`<div class="scroll"><table aria-labelledby="queue-nodes">
      <thead><tr><th>Node</th><th class="number">Busy workers</th><th class="number">Received</th><th class="number">Completed</th>
        <th class="number">Failed attempts</th><th class="number">Discarded</th></tr></thead>
      <tbody>${rows.map(({ node, counters }) => html`<tr>
        <td class="cut" title=${node.node}><strong>${node.name}</strong>
          ${node.state === 'STOPPING' ? html`<span class="state stopping">stopping</span>` : nothing}</td>
        <td class="number"><a href=${href('jobs', [], { q: searchFor({ queue, node: node.name }), state: 'RUNNING' })}>${
          whole(counters.receivers)}</a></td>
        <td class="number">${whole(counters.received)}</td><td class="number">${whole(counters.completed)}</td>
        <td class="number">${whole(counters.failed)}</td><td class="number">${whole(counters.discarded)}</td></tr>`)}</tbody></table></div>
      <p class="faint">The counters of a node start at zero when the node starts, and are updated with its heartbeats.</p>`
    : html`<p class="faint">No running node has received jobs of this queue.</p>`}`;
}
