import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { installN8n } from './install-n8n.ts';

/** npm run e2e -- n8n [<folder>]: what a real n8n shows. */
endOnOtherWords(
  `Installs n8n 2.41.1 from npm (2.2 GB, several minutes; kept in .cache) and tests against it:

    npm run e2e -- n8n            installs it into .cache/n8n where it is missing
    npm run e2e -- n8n <folder>   uses the folder that it is installed in`,
  /./,
);
const [folder] = process.argv.slice(2);
process.env.N8N_FOLDER = await installN8n(folder);
await import('./suite.fixture.ts');
