import { get, post, url } from '../api.js';
import { confirmed } from '../ask.js';
import { span } from '../format.js';
import { act, empty, failed, icon, skeleton, when } from '../parts.js';
import { html, nothing, Page } from '../view.js';

/** The engines that run or ran. */
class Nodes extends Page {
  static properties = { ...Page.properties, nodes: { state: true } };

  async load(signal) {
    this.nodes = await get('nodes', { signal });
  }

  async #drain(node) {
    const sure = await confirmed({
      title: `Drain ${node.name}?`,
      text: 'It takes no more jobs, and ends when those in work are done. Others go on. It works again after a restart of its application.',
      action: 'Drain',
    });
    if (sure) {
      await act(() => post(url(['nodes', node.id, 'drain'])), `${node.name} takes no more jobs within seconds`);
      this.refresh();
    }
  }

  render() {
    const live = (this.nodes ?? []).filter((node) => node.state === 'ACTIVE' || node.state === 'STOPPING');
    const gone = (this.nodes ?? []).filter((node) => node.state === 'DEAD' || node.state === 'STOPPED');
    return html`
      <div class="head"><h1>Nodes</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${this.loaded
        ? html`
          <section class="card" aria-labelledby="live"><h2 id="live">At work</h2>
            ${live.length ? this.#table(live) : empty('server', 'No node runs', 'Jobs wait until an application with an engine is started.')}
          </section>
          ${gone.length ? html`<section class="card" aria-labelledby="gone"><h2 id="gone">Gone</h2>${this.#table(gone)}</section>` : nothing}`
        : skeleton()}`;
  }

  #table(nodes) {
    return html`
      <div class="scroll"><table>
        <thead><tr><th>Node</th><th>State</th><th>Last sign of life</th><th class="number">Receivers busy</th>
          <th>Queues</th><th class="number">Taken over from it</th><th>Up</th><th><span class="hidden">Actions</span></th></tr></thead>
        <tbody>${nodes.map((node) => html`
          <tr>
            <td><strong>${node.name}</strong><br><small class="faint">${node.version}</small></td>
            <td><span class="state ${node.state.toLowerCase()}">${node.state.toLowerCase()}</span>
              ${node.drainRequested && node.state === 'ACTIVE' ? html`<span class="state stopping">is told to drain</span>` : nothing}
            <td>${when(node.beatAt)}</td>
            <td class="number">${node.receivers}</td>
            <td title=${node.types.join(', ')}>${node.types.length ? node.queues ? node.queues.join(', ') || 'none that you see' : 'all' : 'none: it works no type'}</td>
            <td class="number">${node.takenOver}</td>
            <td>${span(new Date(node.endedAt ?? Date.now()) - new Date(node.startedAt))}</td>
            <td class="right">${node.state === 'ACTIVE' && !node.drainRequested && this.administers
              ? html`<button @click=${() => this.#drain(node)}>${icon('power')} Drain</button>` : nothing}</td>
          </tr>`)}</tbody>
      </table></div>`;
  }
}

customElements.define('readpast-nodes', Nodes);
