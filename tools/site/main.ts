import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderSite } from './render-site.ts';

const HELP = `Writes all documents as a static site with a search into a new folder. Open its index.html, or serve the folder; it needs no network:

    npm run generate -- site <folder>`;

const words = process.argv.slice(2);
const [folder = '--help'] = words;
if (words.length > 1 || folder.startsWith('-')) {
  const isHelp = ['--help', '-h'].includes(words[0] ?? '');
  console[isHelp ? 'log' : 'error'](HELP);
  process.exitCode = isHelp ? 0 : 2;
} else if (existsSync(folder)) {
  console.error(`${folder} exists already: name a new folder.`);
  process.exitCode = 2;
} else {
  const files = renderSite(path.resolve(import.meta.dirname, '../..'));
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  console.log(`${files.size} files are in ${path.resolve(folder)}: open index.html.`);
}
