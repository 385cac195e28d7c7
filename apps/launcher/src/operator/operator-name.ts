import { hostname, userInfo } from 'node:os';

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** Whoever runs a command of this machine: the account and the machine. */
export const operatorName = (): string => `${accountName()}@${hostname()}`;
