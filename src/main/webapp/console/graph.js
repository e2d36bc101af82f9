import { STATES } from './format.js';
import { href } from './route.js';
import { html, nothing, svg, View } from './view.js';

const WIDTH = 168;
const HEIGHT = 44;
const ACROSS = 232;
const DOWN = 64;
/** What is smaller cannot be read. */
const LEAST_SCALE = 0.85;

/** Each job one column right of the last that it waits for, in the order of its predecessors. */
export function layout(jobs) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const columns = new Map();
  const column = (job, path) => {
    if (columns.has(job.id)) {
      return columns.get(job.id);
    }
    if (path.has(job.id)) {
      return 0;
    }
    path.add(job.id);
    const before = job.after.filter((id) => byId.has(id)).map((id) => column(byId.get(id), path) + 1);
    path.delete(job.id);
    const at = Math.max(0, ...before);
    columns.set(job.id, at);
    return at;
  };
  jobs.forEach((job) => column(job, new Set()));
  const places = new Map();
  const filled = [];
  [...jobs].sort((a, b) => columns.get(a.id) - columns.get(b.id) || a.id - b.id).forEach((job) => {
    const x = columns.get(job.id);
    const before = job.after.map((id) => places.get(id)?.row).filter((row) => row !== undefined);
    const wanted = before.length ? Math.round(before.reduce((sum, row) => sum + row, 0) / before.length) : 0;
    const row = Math.max(wanted, filled[x] ?? 0);
    filled[x] = row + 1;
    places.set(job.id, { job, row, x: x * ACROSS, y: row * DOWN });
  });
  return [...places.values()];
}

/** Jobs and those that they wait for, drawn from left to right. Drag, Ctrl and wheel, arrows, + and -. */
class Graph extends View {
  static properties = { jobs: { attribute: false }, box: { state: true }, at: { state: true } };

  #dragged = null;
  #moved = false;
  #fitted = null;

  #resized = () => {
    if (this.box === this.#fitted) {
      this.#open();
    }
  };

  connectedCallback() {
    super.connectedCallback();
    addEventListener('resize', this.#resized);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('resize', this.#resized);
  }

  willUpdate(changed) {
    if (changed.has('jobs')) {
      this.places = layout(this.jobs);
      if (!this.places.some((place) => place.job.id === this.at)) {
        this.at = this.places[0]?.job.id;
      }
      if (!this.box) {
        this.#open();
      }
    }
  }

  /** As much as can be read, from where it begins. */
  #open() {
    this.#fit();
    const { width, height } = this.box;
    const across = (this.parentElement?.clientWidth || 640) / LEAST_SCALE;
    const down = (this.querySelector('svg')?.clientHeight || (innerWidth > 760 ? 384 : 256)) / LEAST_SCALE;
    this.box = { ...this.box, width: Math.min(width, across), height: Math.min(height, down) };
    this.#fitted = this.box;
  }

  /** Goes to a job beside the one that has the focus: left what it waits for, right what waits for it. */
  async #step(key) {
    const here = this.places.find((place) => place.job.id === this.at);
    const beside = this.places.filter((place) => ({
      ArrowLeft: here.job.after.includes(place.job.id),
      ArrowRight: place.job.after.includes(here.job.id),
      ArrowUp: place.x === here.x && place.y < here.y,
      ArrowDown: place.x === here.x && place.y > here.y,
    })[key]);
    const [next] = beside.sort((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y));
    if (next) {
      this.at = next.job.id;
      await this.updateComplete;
      this.querySelector('a[tabindex="0"]').focus({ preventScroll: true });
    }
  }

  /** What has the focus is in sight. */
  #show({ job, x, y }) {
    this.at = job.id;
    const { box } = this;
    const into = (at, size, from, room) => Math.min(Math.max(from, at + size + 16 - room), at - 16);
    if (!this.#dragged) {
      const [left, top] = [into(x, WIDTH, box.x, box.width), into(y, HEIGHT, box.y, box.height)];
      if (left !== box.x || top !== box.y) {
        this.box = { ...box, x: left, y: top };
      }
    }
  }

  #fit() {
    const right = Math.max(...this.places.map((place) => place.x)) + WIDTH;
    const bottom = Math.max(...this.places.map((place) => place.y)) + HEIGHT;
    // What is small is drawn in its own size.
    const across = this.parentElement?.clientWidth || 640;
    this.box = { x: -16, y: -16, width: Math.max(right + 32, across), height: Math.max(bottom + 32, 200) };
    this.#fitted = this.box;
  }

  #move(x, y) {
    this.box = { ...this.box, x: this.box.x + x, y: this.box.y + y };
  }

  #zoom(factor) {
    const { x, y, width, height } = this.box;
    this.box = {
      x: x + (width - width * factor) / 2,
      y: y + (height - height * factor) / 2,
      width: width * factor,
      height: height * factor,
    };
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key.startsWith('Arrow') && event.target.closest('a')) {
      event.preventDefault();
      this.#step(event.key);
      return;
    }
    const step = this.box.width / 10;
    const actions = {
      ArrowLeft: () => this.#move(-step, 0),
      ArrowRight: () => this.#move(step, 0),
      ArrowUp: () => this.#move(0, -step),
      ArrowDown: () => this.#move(0, step),
      '+': () => this.#zoom(0.8),
      '-': () => this.#zoom(1.25),
      0: () => this.#fit(),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  /** The wheel alone moves the page. */
  #wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.#zoom(event.deltaY > 0 ? 1.1 : 0.9);
    }
  }

  #drag(event) {
    if (this.#dragged && event.buttons) {
      const { clientWidth, clientHeight } = event.currentTarget;
      const scale = Math.max(this.box.width / clientWidth, this.box.height / clientHeight);
      this.#move((this.#dragged.x - event.clientX) * scale, (this.#dragged.y - event.clientY) * scale);
      this.#dragged = { x: event.clientX, y: event.clientY };
      this.#moved = true;
    }
  }

  /** Whoever has moved the whole by a job does not want to go to that job. */
  #follow(event) {
    if (this.#moved && event.detail) {
      event.preventDefault();
    }
  }

  render() {
    const { x, y, width, height } = this.box;
    const at = new Map(this.places.map((place) => [place.job.id, place]));
    return html`
      <div class="graph">
        <svg tabindex="0" role="group" aria-label="${this.jobs.length} jobs and those that they wait for. Arrows move, plus and minus zoom, 0 shows all. Tab goes to a job, arrows from there to others."
          viewBox="${x} ${y} ${width} ${height}" preserveAspectRatio="xMinYMin meet" @keydown=${this.#key}
          @pointerdown=${(event) => { this.#dragged = { x: event.clientX, y: event.clientY }; this.#moved = false; }}
          @dragstart=${(event) => event.preventDefault()} @click=${this.#follow}
          @pointermove=${this.#drag} @pointerup=${() => { this.#dragged = null; }}
          @pointercancel=${() => { this.#dragged = null; }} @wheel=${this.#wheel}>
          ${this.places.flatMap((place) => place.job.after.map((id) => {
            const from = at.get(id);
            return from
              ? svg`<path class="edge" d="M${from.x + WIDTH} ${from.y + HEIGHT / 2} C${from.x + WIDTH + 36} ${from.y + HEIGHT / 2} ${place.x - 36} ${place.y + HEIGHT / 2} ${place.x} ${place.y + HEIGHT / 2}"></path>`
              : nothing;
          }))}
          ${this.places.map((place) => svg`
            <a href=${href('jobs', [place.job.id])} tabindex=${place.job.id === this.at ? 0 : -1} @focus=${() => this.#show(place)} aria-label="Job ${place.job.id}, ${place.job.type}, ${STATES[place.job.state]?.label}">
              <g class="node ${place.job.state.toLowerCase()}" transform="translate(${place.x} ${place.y})">
                <rect width=${WIDTH} height=${HEIGHT} rx="8"></rect>
                <text x="12" y="18">${place.job.type.length > 20 ? `${place.job.type.slice(0, 19)}…` : place.job.type}</text>
                <text class="small" x="12" y="34">${place.job.id} · ${STATES[place.job.state]?.label}</text>
              </g></a>`)}
        </svg>
        <div class="zoom">
          <button aria-label="Nearer" @click=${() => this.#zoom(0.8)}>+</button>
          <button aria-label="Further" @click=${() => this.#zoom(1.25)}>−</button>
          <button @click=${() => this.#fit()}>All</button>
        </div>
      </div>`;
  }
}

customElements.define('readpast-graph', Graph);
