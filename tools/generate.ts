import { runSubcommand } from '@svc/program/start/run-subcommand.ts';

const load = {
  'client:operations': () => import('./client-operations/main.ts'),
  'sdk:words': () => import('./sdk-words/main.ts'),
  map: () => import('./map/main.ts'),
  'node-package': () => import('./node-package/main.ts'),
  tables: () => import('./tables/main.ts'),
};

const loadAll = async (): Promise<void> => {
  for (const each of Object.values(load)) await each();
};

await runSubcommand({
  script: 'generate',
  title: 'Writes files that are generated and checked in, or a release, a site or pictures into a folder:',
  unnamed: { summary: 'all that are checked in', load: loadAll },
  commands: {
    'client:operations': { summary: 'table of operations of the client, from the contract', load: load['client:operations'] },
    'sdk:words': { summary: "the SDK's copy of the contract", load: load['sdk:words'] },
    map: { summary: "docs/map.md and the README's picture", load: load.map },
    catalogue: { summary: 'drafts, checks and refreshes entries of the catalogue', load: () => import('./catalogue/main.ts') },
    'node-package': { summary: 'the governed node in the bundle of managed runtimes', load: load['node-package'] },
    tables: { summary: 'types of the database tables, from the migrations', load: load.tables },
    site: { summary: 'all documents as a static site with a search, into a folder', load: () => import('./site/main.ts') },
    screenshots: { summary: "pictures of the console's pages with the demo data", load: () => import('./screenshots/main.ts') },
    release: {
      summary: 'packages, SBOM, licences, sums and signature of a release, into a folder',
      load: () => import('./release/main.ts'),
    },
  },
});
