import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTree } from '../tree.ts';
import { countMarkers, type MarkerCounts } from './count-markers.ts';
import { findMarkers } from './markers.ts';
import { readSentences } from './read-sentences.ts';

const HELP = `Lists every string that a user, an operator or a client can read.

    npm run sentences                     all strings, with file, line and kind
    npm run sentences -- PATH             those of the files whose path contains PATH
    npm run sentences -- --markers [PATH] those that contain a marker
    npm run sentences -- --counts         words and markers by area
    npm run sentences -- --record         write the current counts to tools/sentences/counts.json`;

const root = resolve(import.meta.dirname, '..', '..');

const printCounts = (title: string, counts: MarkerCounts): void => {
  console.log(`\n${title.padEnd(28)}${'words'.padStart(9)}${'markers'.padStart(9)}${'per 1,000'.padStart(11)}`);
  const total = Object.values(counts).reduce((a, b) => ({ words: a.words + b.words, markers: a.markers + b.markers }));
  for (const [area, { words, markers }] of [...Object.entries(counts), ['total', total] as const]) {
    const rate = ((markers / words) * 1_000).toFixed(1);
    console.log(`${area.padEnd(28)}${String(words).padStart(9)}${String(markers).padStart(9)}${rate.padStart(11)}`);
  }
};

const record = (): void => {
  const counts = Object.entries(countMarkers(readTree(root).sources)).map(([kind, areas]) => [
    kind,
    Object.fromEntries(Object.entries(areas).map(([area, { markers }]) => [area, markers])),
  ]);
  writeFileSync(join(root, 'tools/sentences/counts.json'), `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
};

const list = (part: string, onlyMarked: boolean): void => {
  for (const { path, line, kind, text } of readSentences(readTree(root).sources)) {
    const markers = findMarkers(text);
    if (!path.includes(part) || (onlyMarked && markers.length === 0)) continue;
    console.log(`${path}:${line}  ${kind}  ${text}${markers.length === 0 ? '' : `  [${markers.join(', ')}]`}`);
  }
};

const given = process.argv.slice(2);
const [option = ''] = given.filter((word) => word.startsWith('-'));
const [part = ''] = given.filter((word) => !word.startsWith('-'));
if (option === '--counts') {
  for (const [kind, counts] of Object.entries(countMarkers(readTree(root).sources))) printCounts(kind, counts);
} else if (option === '--record') record();
else if (option === '' || option === '--markers') list(part, option === '--markers');
else {
  const isHelp = option === '--help' || option === '-h';
  console[isHelp ? 'log' : 'error'](isHelp ? HELP : `Unknown option: ${option}\n\n${HELP}`);
  process.exitCode = isHelp ? 0 : 2;
}
