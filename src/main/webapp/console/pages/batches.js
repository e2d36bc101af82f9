import { get, post, putText, url } from '../api.js';
import { confirmed } from '../ask.js';
import '../graph.js';
import { compact, whole } from '../format.js';
import { escaped, notJson } from '../json.js';
import { act, empty, failed, icon, jobLink, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import { searchFor } from '../search.js';
import { html, nothing, Page } from '../view.js';

const PARTS = ['completed', 'live', 'discarded', 'cancelled', 'expired'];
const sum = (batch, part) => batch.waves.reduce((all, wave) => all + wave[part], 0);
const stuck = (batch) => batch.waves.some((wave) => wave.holding?.length);
const over = (batch) => batch.finishedAt || batch.cancelledAt;
const stateOf = (batch) => {
  const name = (batch.heldAt || stuck(batch)) && !over(batch) ? 'held' : batch.state.toLowerCase();
  return html`<span class="state ${name === 'held' ? 'discarded' : name === 'finished' ? 'completed' : name}">${name}</span>`;
};

/** Batches, their waves, and what waits for what. */
class Batches extends Page {
  static properties = { ...Page.properties, batches: { state: true }, next: { state: true }, batch: { state: true }, graph: { state: true } };

  get #name() {
    return this.route.parts[0];
  }

  left() {
    this.batch = null;
  }

  async load(signal) {
    if (this.#name) {
      const name = this.#name;
      const [batch, graph] = await Promise.all([
        get(url(['batches', name]), { signal }),
        get(url(['batches', name, 'graph']), { signal }),
      ]);
      this.batch = batch;
      this.graph = graph;
    } else {
      const page = await get(url(['batches'], { limit: 100, cursor: this.route.query.get('cursor') }), { signal });
      this.batches = page.batches;
      this.next = page.next;
    }
  }

  async #do(path, question, done) {
    if (await confirmed(question)) {
      await act(() => post(url(['batches', this.#name, path])), done);
      this.refresh();
    }
  }

  render() {
    const batch = this.batch?.name === this.#name ? this.batch : null;
    return html`
      <div class="head">
        ${this.#name ? html`<a class="button" href=${href('batches')}>${icon('arrow-left')} Batches</a>` : nothing}
        <h1>${this.#name ? escaped(this.#name) : 'Batches'}</h1>${batch ? stateOf(batch) : nothing}<span class="grow"></span>
        ${batch && this.operates ? this.#actions() : nothing}</div>
      ${failed(this.failure, () => this.refresh())}
      ${!this.loaded ? skeleton() : this.#name ? batch && this.#shown() : this.#list()}`;
  }

  #actions() {
    const { batch } = this;
    const name = this.#name;
    return html`
      ${batch.sealedAt ? nothing : html`<button @click=${() => this.#do('seal', {
        title: `Seal ${name}?`, action: 'Seal', text: 'No more jobs can join it; when the last has ended its callbacks come.' }, 'sealed')}>${icon('lock')} Seal</button>`}
      ${stuck(batch) ? html`<button @click=${() => this.#do('skip', {
        title: `Skip what holds ${name}?`, action: 'Skip', text: 'The next wave starts although jobs of this one were discarded. These stay discarded.' }, 'goes on')}>${icon('skip-forward')} Skip</button>` : nothing}
      ${over(batch) ? nothing : batch.heldAt
        ? html`<button @click=${() => this.#do('release', {
          title: `Release ${name}?`, action: 'Release', text: 'Its jobs go on, as far as their waves let them.' }, 'is released')}>${icon('play')} Release</button>`
        : html`<button @click=${() => this.#do('hold', {
          title: `Hold ${name}?`, action: 'Hold', text: 'No more of its jobs go on that wait for their wave, until somebody releases it. What has been let go already goes on.' }, 'is held')}>${icon('pause')} Hold</button>`}
      ${over(batch) ? nothing : html`<button @click=${() => this.#do('cancellation', {
        title: `Cancel ${name}?`, action: 'Cancel it', danger: true, text: 'All its jobs that wait are cancelled; those in work are asked to end.' }, 'is being cancelled')}>${icon('ban')} Cancel</button>`}`;
  }

  #list() {
    return this.batches.length
      ? html`<div class="card scroll"><table>
          <thead><tr><th>Batch</th><th>State</th><th>Waves</th><th class="number">Live</th><th class="number">Completed</th>
            <th class="number">Discarded</th><th>Begun</th><th>Finished</th></tr></thead>
          <tbody>${this.batches.map((batch) => html`<tr>
            <td class="cut" title=${batch.name}><a href=${href('batches', [batch.name])}><strong>${escaped(batch.name)}</strong></a></td>
            <td>${stateOf(batch)}</td>
            <td>${batch.waves.length}</td><td class="number">${compact(sum(batch, 'live'))}</td>
            <td class="number">${compact(sum(batch, 'completed'))}</td><td class="number">${compact(sum(batch, 'discarded'))}</td><td>${when(batch.createdAt)}</td><td>${when(batch.finishedAt)}</td></tr>`)}</tbody>
        </table></div>
        ${this.next ? html`<p><a class="button" href=${href('batches', [], { cursor: this.next })}>Next ${icon('arrow-right')}</a></p>` : nothing}`
      : empty('workflow', 'No batches yet', 'A batch keeps jobs together: waves that come one after the other, and callbacks when all is done. Name one with JobRequest.inBatch(…).');
  }

  #shown() {
    const { batch } = this;
    return html`
      <div class="waves">${batch.waves.map((wave) => {
        const total = PARTS.reduce((sum, part) => sum + wave[part], 0);
        return html`
          <section class="card" aria-label="Wave ${wave.wave}">
            <h2>Wave ${wave.wave} ${wave.waiting ? html`<span class="state blocked">${icon('hourglass')} waits</span>` : nothing}</h2>
            <progress max=${total || 1} value=${total - wave.live} aria-label="${whole(total - wave.live)} of ${whole(total)} ended"></progress>
            <dl class="facts">${PARTS.filter((part) => wave[part]).map((part) => html`<dt>${part}</dt>
              <dd><a href=${href('jobs', [], { q: searchFor({ batch: batch.name, wave: wave.wave }), state: part === 'live' ? '' : part.toUpperCase() })}>${whole(wave[part])}</a></dd>`)}</dl>
            ${wave.holding?.length ? html`<p class="notice bad">${icon('alert-triangle')}<span>holds higher waves: job ${wave.holding.map((id) => html`${jobLink(id)} `)}</span></p>` : nothing}
            ${wave.heldBy?.length ? html`<p class="faint">waits: ${wave.heldBy.join('; ')}</p>` : nothing}
          </section>`;
      })}</div>
      ${this.graph?.jobs.length
        ? html`<section class="card" aria-labelledby="graph"><h2 id="graph">What waits for what</h2>
            <readpast-graph .jobs=${this.graph.jobs}></readpast-graph>
            ${this.graph.complete ? nothing : html`<p class="faint">The first ${whole(this.graph.jobs.length)} jobs.</p>`}</section>` : nothing}
      <section class="card" aria-labelledby="callbacks"><h2 id="callbacks">Callbacks</h2>
        ${batch.callbacks.length ? html`<table><thead><tr><th>At</th><th>Type</th><th>Come</th><th>Job</th></tr></thead>
          <tbody>${batch.callbacks.map((one) => html`<tr><td>${one.event.toLowerCase()}</td><td class="mono">${one.type}</td>
            <td>${when(one.firedAt)}</td><td>${one.job ? jobLink(one.job) : '–'}</td></tr>`)}</tbody></table>`
          : html`<p class="faint">None.</p>`}
        ${this.operates && !batch.finishedAt ? this.#adding() : nothing}
      </section>`;
  }

  #adding() {
    const add = async (event) => {
      event.preventDefault();
      const form = event.target;
      const { event: at, type, queue, payload } = Object.fromEntries(new FormData(form));
      const text = payload.trim() || '{}';
      if (notJson(form.elements.payload, text)) {
        return;
      }
      // As it was typed: a number that JavaScript would round keeps its digits.
      const written = `{"${at}":${JSON.stringify({ type, queue }).slice(0, -1)},"payload":${text}}}`;
      if (await act(() => putText(url(['batches', this.#name]), written), 'added')) {
        form.reset();
      }
      this.refresh();
    };
    return html`<form class="line" @submit=${add}>
      <label>At <select name="event"><option value="onSuccess">success</option><option value="onDiscard">discard</option><option value="onFinish">finish</option></select></label>
      <label>Type <input name="type" required placeholder="report.send"></label>
      <label>Queue <input name="queue" required placeholder="reports"></label>
      <label>Payload <input name="payload" class="mono" value="{}" spellcheck="false"
        @input=${(event) => event.target.setCustomValidity('')}></label>
      <button>${icon('plus')} Add a callback</button></form>`;
  }
}

customElements.define('readpast-batches', Batches);
