import { runSubcommand } from '@svc/program/start/run-subcommand.ts';

await runSubcommand({
  script: 'ops',
  title: 'Commands for the operator of the machine. They use the database in DATA_DIR or DATABASE_URL:',
  commands: {
    config: { summary: 'prints all settings with their effective values', load: () => import('./config.ts') },
    'db:url': { summary: 'prints the database URL of the owner, with its password', load: () => import('./database-url.ts') },
    migrate: { summary: 'brings the schema of the database to this version', load: () => import('./migrate.ts') },
    check: { summary: 'checks the database before an upgrade, without changing it', load: () => import('./check.ts') },
    backup: { summary: 'writes a backup of the database without stopping the service', load: () => import('./backup.ts') },
    restore: { summary: 'restores a backup into an empty database', load: () => import('./restore.ts') },
    outbox: { summary: 'shows the latest mails if no mail server is set', load: () => import('./outbox.ts') },
    subscription: { summary: 'sets the subscription of an organization', load: () => import('./subscription.ts') },
    deletions: { summary: 'prints the deletion certificates of organizations', load: () => import('./deletions.ts') },
    cell: { summary: 'assigns the organizations of this database to a cell', load: () => import('./cell.ts') },
    admin: { summary: 'restores access, and changes the master key', load: () => import('./admin.ts') },
    'break-glass': { summary: 'the emergency stop, without a sign-in', load: () => import('./break-glass.ts') },
  },
});
