#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readSettings } from './settings.ts';

/** The version of the package. The built program lies one folder below its manifest too. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
const [, , first] = process.argv;

if (process.argv.length === 3 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), readSettings(), version);
}
