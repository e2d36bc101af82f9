const field = document.querySelector('#search');
const found = document.querySelector('#found');
const root = new URL('.', import.meta.url);
const MOST = 20;
let sections;

/** Returns the index, which is loaded when it is first needed. */
async function index() {
  sections ??= fetch(new URL('search.json', root)).then((answer) => answer.json());
  return sections;
}

/** Every word must occur. A match of the whole phrase ranks higher, and guides rank above internals. */
function score(section, words, phrase) {
  const title = section.title.toLowerCase();
  const heading = section.heading.toLowerCase();
  const text = section.text.toLowerCase();
  let sum = text.includes(phrase) ? 4 : 0;
  for (const word of words) {
    const here = (title.includes(word) ? 3 : 0) + (heading.includes(word) ? 5 : 0) + (text.includes(word) ? 1 : 0);
    if (!here) {
      return 0;
    }
    sum += here;
  }
  return section.page.startsWith('development/') || section.page.startsWith('project/') ? sum / 2 : sum;
}

function excerpt(text, phrase, word) {
  const all = text.toLowerCase();
  const at = Math.max(0, all.indexOf(all.includes(phrase) ? phrase : word) - 60);
  return `${at ? '…' : ''}${text.slice(at, at + 200)}${at + 200 < text.length ? '…' : ''}`;
}

function element(name, content) {
  const made = document.createElement(name);
  made.append(content);
  return made;
}

async function search() {
  const text = field.value.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const all = words.length ? await index() : [];
  if (field.value.trim().toLowerCase() !== text) {
    return;
  }
  const hits = all
    .map((section) => ({ section, sum: score(section, words, text) }))
    .filter((hit) => hit.sum)
    .sort((one, other) => other.sum - one.sum);
  found.replaceChildren(...hits.slice(0, MOST).flatMap(({ section }) => {
    const link = element('a', section.heading === section.title ? section.title : `${section.title}: ${section.heading}`);
    link.href = new URL(section.page + (section.anchor && `#${section.anchor}`), root);
    return [link, element('p', excerpt(section.text, text, words[0]))];
  }));
  if (words.length && !hits.length) {
    found.append(element('p', `No page contains ${words.join(' and ')}.`));
  }
  found.hidden = !words.length;
}

field.addEventListener('input', search);
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
