import { runSubcommand } from '@svc/program/start/run-subcommand.ts';

await runSubcommand({
  script: 'e2e',
  title: 'Tests over several programs, repeated more often than npm test does:',
  commands: {
    asvs: { summary: 'OWASP ASVS 5.0 requirements and the tests that show them', load: () => import('./asvs/main.ts') },
    failover: { summary: 'kills of the primary of a PostgreSQL cluster', load: () => import('./failover/main.ts') },
    neighbours: { summary: 'cost of an attack for another tenant', load: () => import('./neighbours/main.ts') },
    verifier: { summary: 'offline verifier on thousands of changed logs', load: () => import('./verifier/main.ts') },
    races: { summary: 'single use of tokens, codes and links under concurrency', load: () => import('./races/main.ts') },
    webhooks: { summary: 'deliveries under kills and hanging receivers', load: () => import('./webhooks/main.ts') },
    upgrade: { summary: 'upgrade of an older version under load', load: () => import('./upgrade/main.ts') },
    timing: { summary: 'response times for known and unknown addresses', load: () => import('./timing/main.ts') },
  },
});
