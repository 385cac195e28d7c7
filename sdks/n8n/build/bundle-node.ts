import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const FILES = {
  'SvcAction.node': 'svc-action.ts',
  'SvcTrigger.node': 'svc-trigger.ts',
  'SvcAgentApi.credentials': 'svc-agent-api.ts',
  'SvcWebhookSecret.credentials': 'svc-webhook-secret.ts',
};

/** Bundles the nodes and their credentials as n8n loads them: one CommonJS file each, without dependencies. */
export const bundleNode = async (dist: string): Promise<void> => {
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  for (const [name, file] of Object.entries(FILES)) {
    const bundle = await rolldown({ input: resolve(import.meta.dirname, '../src', file), platform: 'node', logLevel: 'warn' });
    await bundle.write({ file: join(dist, `${name}.js`), format: 'cjs' });
    await bundle.close();
  }
};
