import { runSubcommand } from '@svc/program/start/run-subcommand.ts';

await runSubcommand({
  script: 'catalogue',
  title: 'Maintains the entries of the catalogue of applications:',
  commands: {
    check: { summary: 'checks every entry, and its actions against documents', load: () => import('./check.ts') },
    draft: { summary: "writes a proposal for an entry from a vendor's document", load: () => import('./draft.ts') },
    refresh: { summary: 'compares an entry with a newer document, and writes a proposal', load: () => import('./refresh.ts') },
  },
});
