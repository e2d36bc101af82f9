const field = document.querySelector('#search');
const found = document.querySelector('#found');
const root = new URL('.', import.meta.url);
const MOST = 20;
let sections;

/** Loaded when it is first needed. */
async function index() {
  sections ??= fetch(new URL('search.json', root)).then((answer) => answer.json());
  return sections;
}

/** Every word must occur; one in the title counts most, then in the heading. */
function score(section, words) {
  const title = section.title.toLowerCase();
  const heading = section.heading.toLowerCase();
  const text = section.text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const here = (title.includes(word) ? 3 : 0) + (heading.includes(word) ? 5 : 0) + (text.includes(word) ? 1 : 0);
    if (!here) {
      return 0;
    }
    sum += here;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
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
    .map((section) => ({ section, sum: score(section, words) }))
    .filter((hit) => hit.sum)
    .sort((one, other) => other.sum - one.sum);
  found.replaceChildren(...hits.slice(0, MOST).flatMap(({ section }) => {
    const link = element('a', section.heading === section.title ? section.title : `${section.title}: ${section.heading}`);
    link.href = new URL(section.page + (section.anchor && `#${section.anchor}`), root);
    return [link, element('p', excerpt(section.text, words[0]))];
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
