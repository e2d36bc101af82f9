// @ts-check
import { get, post, url } from '../api.js';
import { confirmed } from '../ask.js';
import { span } from '../format.js';
import { act, empty, failed, icon, skeleton, when } from '../parts.js';
import { html, nothing, Page } from '../view.js';

/** Shows the nodes: the engines that are running, and those that have ended. */
class Nodes extends Page {
  static properties = { ...Page.properties, nodes: { state: true } };

  constructor() {
    super();
    /** @type {Api.Node[]} */
    this.nodes = [];
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    this.nodes = await get('nodes', { signal });
  }

  /** @param {Api.Node} node */
  async #drain(node) {
    const sure = await confirmed({
      title: `Drain ${node.name}?`,
      text: 'The node takes no more jobs and stops when its running jobs have ended. Other nodes are not affected. '
        + 'To start it again, restart its application.',
      action: 'Drain',
    });
    if (sure) {
      await act(() => post(url(['nodes', node.id, 'drain'])), `${node.name} is draining`);
      this.refresh();
    }
  }

  render() {
    const live = this.nodes.filter((node) => node.state === 'ACTIVE' || node.state === 'STOPPING');
    const ended = this.nodes.filter((node) => node.state === 'DEAD' || node.state === 'STOPPED');
    return html`
      <div class="head"><h1>Nodes</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${this.loaded
        ? html`
          <section class="card" aria-labelledby="live"><h2 id="live">Running</h2>
            ${live.length ? this.#table(live) : empty('server', 'No running nodes', 'Jobs wait until an application with an engine starts.')}
          </section>
          ${ended.length ? html`<section class="card" aria-labelledby="ended"><h2 id="ended">Ended</h2>${this.#table(ended)}</section>` : nothing}`
        : this.failure ? nothing : skeleton()}`;
  }

  /** @param {Api.Node} node */
  static #queues({ types, queues }) {
    if (!types.length) {
      return 'none: the node handles no types';
    }
    return queues ? queues.join(', ') || 'none that your roles cover' : 'all';
  }

  /** @param {Api.Node[]} nodes */
  #table(nodes) {
    return html`
      <div class="scroll"><table>
        <thead><tr><th>Node</th><th>State</th><th>Last heartbeat</th><th class="number">Busy workers</th>
          <th>Queues</th><th class="number">Jobs taken over</th><th>Uptime</th><th><span class="hidden">Actions</span></th></tr></thead>
        <tbody>${nodes.map((node) => html`
          <tr>
            <td><strong>${node.name}</strong><br><small class="faint">${node.version}</small></td>
            <td><span class="state ${node.state.toLowerCase()}">${node.state.toLowerCase()}</span>
              ${node.drainRequested && node.state === 'ACTIVE' ? html`<span class="state stopping">drain requested</span>` : nothing}</td>
            <td>${when(node.beatAt)}</td>
            <td class="number">${node.receivers}</td>
            <td class="cut" title=${node.types.join(', ')}>${Nodes.#queues(node)}</td>
            <td class="number">${node.takenOver}</td>
            <td>${span((node.endedAt ? Date.parse(node.endedAt) : Date.now()) - Date.parse(node.startedAt))}</td>
            <td class="actions-cell">${node.state === 'ACTIVE' && !node.drainRequested && this.administers
              ? html`<button @click=${() => this.#drain(node)}>${icon('power')} Drain</button>` : nothing}</td>
          </tr>`)}</tbody>
      </table></div>`;
  }
}

customElements.define('readpast-nodes', Nodes);
