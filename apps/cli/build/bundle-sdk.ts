import { resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** The SDK of agents as one file without imports, for projects that `svc init` writes. */
export const bundleSdk = async (): Promise<string> => {
  const input = resolve(import.meta.dirname, '../../../packages/sdk/src/governance.ts');
  const bundle = await rolldown({ input, platform: 'neutral', logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return output[0].code;
};
