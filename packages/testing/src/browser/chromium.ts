import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const find = (): string | undefined => PLACES.find((place) => existsSync(place));

/** Debian's, where this process may install; takes about half a minute, once. */
const install = (): void => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = { stdio: 'ignore', timeout: 300_000 } as const;
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
};

/** The browser that is there or can be had, without a window; a sentence where there is none. */
export const openChromium = async (): Promise<Browser | string> => {
  if (find() === undefined) install();
  const executablePath = find();
  if (executablePath === undefined) return 'no Chromium is here, and none may be installed: apt-get install chromium';
  // A sandbox of its own needs rights that root in a container lacks.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
};
