import { hostname, userInfo } from 'node:os';

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** Returns the operator: account and machine. */
export const getOperatorName = (): string => `${accountName()}@${hostname()}`;
