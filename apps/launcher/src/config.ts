import path from 'node:path';
import { listMisnamedSettings } from '@svc/contract/tables/misnamed-settings.ts';
import { describeSettings } from '@svc/program/settings/describe-settings.ts';
import { findSettingFaults } from '@svc/program/settings/read-setting.ts';
import { readLauncherSettings } from './settings/settings.ts';
import { mayRun } from './start/only-help.ts';

const HELP = `Prints all settings with their effective values and sources. Secrets are masked:

    npm run ops -- config

Lists all invalid settings and exits with 1 if there are any. See docs/operating/running.md for a description of each setting.`;

/** Returns 1 if something is wrong. */
const tellSettings = (): number => {
  const rows = describeSettings(process.env);
  const [nameWidth, valueWidth] = [rows.map(({ name }) => name), rows.map(({ value }) => value)].map((texts) =>
    Math.max(...texts.map((text) => text.length)),
  ) as [number, number];
  for (const { name, value, from } of rows) console.log(`${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${from}`);
  const ofStart = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..')).faults;
  const faults = new Set([...rows.flatMap((row) => row.faults), ...findSettingFaults(process.env, 'control-plane'), ...ofStart]);
  for (const sentence of [...faults, ...listMisnamedSettings(Object.keys(process.env))]) console.error(sentence);
  return faults.size > 0 ? 1 : 0;
};

if (mayRun(process.argv.slice(2), HELP)) process.exitCode = tellSettings();
