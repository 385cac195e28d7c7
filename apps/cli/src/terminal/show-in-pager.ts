import { spawnSync } from 'node:child_process';
import { getServerEnvironment } from '../settings.ts';

const ignore = (): void => undefined;
/** Exit codes of a shell that did not find the command, or may not run it. */
const NOT_RUN = [126, 127];

/** Shows text in a pager, a command line for the shell as in PAGER. False if it did not run. */
export const showInPager = (pager: string, text: string): boolean => {
  // Ctrl+C belongs to the pager: without a listener it would end this program and leave the terminal to both.
  process.on('SIGINT', ignore);
  try {
    const { error, status } = spawnSync(pager, {
      shell: true,
      input: text,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', ...getServerEnvironment() },
    });
    // A pager that is left early closes its input.
    const isBroken = error !== undefined && !('code' in error && error.code === 'EPIPE');
    return !isBroken && !NOT_RUN.includes(status ?? 0);
  } finally {
    process.off('SIGINT', ignore);
  }
};
