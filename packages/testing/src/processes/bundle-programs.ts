import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** Bundles the programs like a start of the service; returns their folder. */
export const bundlePrograms = async (): Promise<string> => {
  const main = path.resolve(import.meta.dirname, '../../../../apps/launcher/src/bundle.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  return stdout.trim();
};
