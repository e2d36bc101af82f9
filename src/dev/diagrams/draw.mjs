// Draws each Mermaid diagram of docs as docs/images/diagrams/<page>-<number>.svg. The first line of a
// picture contains the hash of its source, by which the build knows whether the picture is current.
//
// The variable CHROMIUM names the browser; without it, the browser that the library has
// downloaded is used.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renderMermaid } from '@mermaid-js/mermaid-cli';
import puppeteer from 'puppeteer';

const DOCS = join(import.meta.dirname, '../../../docs');
const PICTURES = join(DOCS, 'images/diagrams');

const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
try {
  mkdirSync(PICTURES, { recursive: true });
  for (const page of pages) {
    const diagrams = [...readFileSync(join(DOCS, page), 'utf8').matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)];
    for (const [index, [, source]] of diagrams.entries()) {
      const { data } = await renderMermaid(browser, source, 'svg', {
        backgroundColor: 'white',
        mermaidConfig: { theme: 'neutral', htmlLabels: false, deterministicIds: true, flowchart: { htmlLabels: false } },
      });
      const name = `${basename(page, '.md')}-${index + 1}.svg`;
      const hash = createHash('sha256').update(source).digest('hex');
      writeFileSync(join(PICTURES, name), `<!-- drawn from ${hash} -->\n${Buffer.from(data).toString('utf8').trimEnd()}\n`);
      console.log(name);
    }
  }
} finally {
  await browser.close();
}
