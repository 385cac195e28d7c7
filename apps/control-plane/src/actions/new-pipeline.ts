import { createHash } from 'node:crypto';
import type { Ports } from '@svc/enforcement/ports.ts';
import { newId } from '@svc/http/new-id.ts';
import type { Database } from '@svc/postgres/connect.ts';
import type { Logger } from 'pino';
import type { ControlSettings } from '../settings.ts';

type PipelineDeps = { readonly settings: ControlSettings; readonly database: Database; readonly log: Logger; readonly clock: () => Date };

export const newPipeline = ({ clock }: PipelineDeps): { pipeline: Ports; closePipeline: () => Promise<void> } => ({
  pipeline: { clock, newId, executor: null, sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as unknown as Ports,
  closePipeline: async () => undefined,
});
