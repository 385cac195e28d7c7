import { buildPages } from './build-pages.ts';

const HELP = `Builds the pages of the console if they are missing or their sources have changed; npm start does this automatically:

    npm run pages`;

const [word, ...more] = process.argv.slice(2);
if (word === undefined) await buildPages((line) => console.log(line));
else if (word === '--help' || word === '-h') console.log(HELP);
else {
  console.error(`${[word, ...more].join(' ')} is not recognized.\n\n${HELP}`);
  process.exitCode = 2;
}
