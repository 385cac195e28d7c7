import { CommandError, EXIT, getUsageError } from '../exit-codes.ts';
import { getStoredProfiles } from '../files/credentials-file.ts';
import { getConfigPath, readProfiles, saveProfile, selectProfile } from '../files/profiles.ts';
import { printResult } from '../output/print.ts';
import type { RunCommand } from '../session/hand-command.ts';
import { getNormalUrl } from '../session/open-cli.ts';

export const listConfig: RunCommand = async (cli) => {
  const { current, profiles } = readProfiles(cli.settings);
  const listSigned = new Set(getStoredProfiles(cli.settings).map(({ profile }) => profile));
  printResult(
    cli,
    Object.entries(profiles).map(([name, profile]) => ({
      name,
      current: name === current,
      signed_in: listSigned.has(name),
      url: null,
      ...profile,
    })),
  );
};

/** Prints the folder of the configuration. */
export const printConfigPath: RunCommand = async (cli) => {
  const path = cli.settings.configFolder;
  printResult(cli, { path }, () => cli.io.out(path));
};

const NAMES = ['url', 'workspace', 'environment', 'organization', 'email'] as const;

export const getConfig: RunCommand = async (cli, [wanted]) => {
  const name = NAMES.find((each) => each === wanted);
  if (name === undefined) throw getUsageError(`"${wanted}" is not a default.`, `Use one of: ${NAMES.join(', ')}.`);
  const value = cli.profile[name];
  if (value === undefined) throw new CommandError(EXIT.notFound, `${name} is not set in profile ${cli.profileName}.`);
  printResult(cli, value);
};

const SETTABLE = ['url', 'workspace', 'environment'] as const;

export const setConfig: RunCommand = async (cli, [wanted = '', value = '']) => {
  if (wanted === 'profile') {
    await selectProfile(cli.settings, value);
    printResult(cli, { profile: value }, () => cli.io.note(`Profile ${value} is in use.`));
    return;
  }
  const name = SETTABLE.find((each) => each === wanted);
  if (name === undefined) throw getUsageError(`"${wanted}" cannot be set.`, `Use one of: profile, ${SETTABLE.join(', ')}.`);
  await saveProfile(cli.settings, cli.profileName, { [name]: value === '' ? undefined : name === 'url' ? getNormalUrl(value) : value });
  const file = getConfigPath(cli.settings);
  printResult(cli, { [name]: value, file }, () => cli.io.note(`Saved in ${file}.`));
};
