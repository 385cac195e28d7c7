import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Builds the pages if they are missing or outdated, like a start does. */
export const buildPages = (): void => {
  const main = path.resolve(import.meta.dirname, '../../../../apps/console/src/main.ts');
  execFileSync(process.execPath, [main], { stdio: 'ignore', timeout: 120_000 });
};
