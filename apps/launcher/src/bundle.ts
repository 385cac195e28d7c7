import path from 'node:path';
import { buildBundles } from './bundle/build-bundles.ts';
import { mayRun } from './start/only-help.ts';

const HELP = `Bundles each program of the service into few files where they are missing or its sources have changed, and prints their folder; npm start
does so by itself:

    npm run bundle`;

if (mayRun(process.argv.slice(2), HELP))
  console.log(await buildBundles(path.resolve(import.meta.dirname, '..', '..', '..'), (line) => console.error(line)));
