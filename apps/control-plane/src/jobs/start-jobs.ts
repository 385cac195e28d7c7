import type { Database } from '@svc/postgres/connect.ts';
import type { Logger } from 'pino';

export type JobDeps = { readonly database: Database; readonly identity: Database; readonly log: Logger; readonly clock: () => Date };
export type Jobs = { readonly stop: () => Promise<void> };

export const startJobs = (_deps: JobDeps): Jobs => ({ stop: async () => undefined });
